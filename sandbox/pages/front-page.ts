import { Hono } from 'hono';
import { html } from 'hono/html';
import { listApplications } from '../boarding/applications.ts';
import { hubs } from '../credentials.ts';
import { faultKinds } from '../faults.ts';
import { listTerminals } from '../gateway/terminals/terminals.ts';
import { webhookUrl } from '../webhooks.ts';
import type { SandboxEnv, World } from '../world.ts';
import { page } from './page.ts';

const CARDS = [
  ['4111 1111 1111 1111', 'Visa, approved', '3 digits'],
  ['5555 5555 5555 4444', 'Mastercard, approved', '3 digits'],
  ['3782 822463 10005', 'American Express, approved', '4 digits'],
  ['4000 0000 0000 0002', 'declined by the issuer', '3 digits'],
  ['4000 0000 0000 0119', 'the gateway answers 500 and records nothing', '3 digits'],
];

const ACCOUNTS = [
  ['063100277', '1234567890', 'accepted, settles two days later on the sandbox’s clock'],
  ['063100277', 'ending in 01, 02, 03 or 16', 'accepted, then returned with R01, R02, R03 or R16'],
];

const CONTROLS = [
  ['GET /_sandbox/state', 'hubs, terminals, number of charges and mails'],
  ['GET /_sandbox/charges?invoice=&order_id=', 'every transaction of the gateway, oldest first'],
  ['GET /_sandbox/mail?to=', 'every mail'],
  ['GET /_sandbox/alerts', 'every alert that the operator’s webhook got; POST is that webhook'],
  ['GET /_sandbox/requests?since=', 'what the product called'],
  ['POST /_sandbox/hubs/{hub}/invoices', '{"count": 100} or one invoice’s fields'],
  ['PATCH /_sandbox/hubs/{hub}/invoices/{id}', '{"properties": {...}} as if somebody had edited it in the CRM'],
  [
    'GET /_sandbox/hubs/{hub}/payments',
    'the CRM’s payment records; …/invoices/{id} shows the status and the balance of one',
  ],
  ['POST /_sandbox/faults', '{"on", "do", "times", "ms", "account": a hub’s id, if only its calls are to meet it}'],
  ['DELETE /_sandbox/faults?account=', 'no faults any more, or none of one account'],
  ['POST /_sandbox/clock', '{"add_s": 1800}'],
  [
    'POST /_sandbox/settings',
    '{"dedupe", "rotate_refresh", "limits", "auto_tap", "terminal_timeout_ms", "terminal_replies", "ach_replies", "introspection", "batch_close", "webhooks_first", "invalid_fields", "script_suffix", "apple_pay": "page", "frame" or "off", "google_pay": "ready" or "off", "google_button": "element" or "form", "google_cancel": "silent" or "error", "google_amount": "init" or "press", "google_script": "simulated" or "google", "wallet_declines": "spent" or "kept", "apple_domains": "enabled", "pending" or "refused", "consent": "anyone" or "installer-only", "granted_scopes": [...] or null, "webhook_urls": {"boarding", "transactions"}}',
  ],
  [
    'POST /_sandbox/hubs/{hub}/settings',
    'the same for one account, and "payments": "on", "off", "record-only" or "no-parts", "association_lag_ms", "optional_scopes": [...]; without "invalid_fields", "script_suffix", "apple_pay", "google_…" and "webhook_urls"; DELETE takes its own ones away',
  ],
  ['GET /_sandbox/applications', 'merchants that applied, and what was sent about each'],
  [
    'POST /_sandbox/applications/{merchant number}',
    '{"do": "sign", "pend", "review", "approve", "decline" or "board"}: answers after the first attempt of the webhook',
  ],
  [
    'POST /_sandbox/terminals/{id}',
    '{"do": "tap" (with "card" if wanted), "decline", "cancel", "cut", "offline", "online" or "close-batch"}; GET tells what it waits for',
  ],
  ['POST /_sandbox/ach/{transaction}', '{"do": "settle"} or {"do": "return", "code": "R01"}'],
  [
    'POST /_sandbox/webhooks',
    '{"order_ids": [...] or all, "times": 20}: sends those about transactions again, shuffled',
  ],
  ['GET /_sandbox/webhooks/{transaction}', 'what was sent about one transaction, and what became of it'],
  ['POST /_sandbox/reset', 'the seeded world again, at the time `at` (ms) instead of now'],
];

const countRows = (world: World, sql: string) => world.store.get<{ n: number }>(sql)?.n ?? 0;

function faultList(world: World) {
  const faults = world.faults.list();
  if (faults.length === 0) return html`<p class="empty">None.</p>`;
  const rows = faults.map(
    (fault) =>
      html`<tr><td>${fault.on}${fault.account === undefined ? '' : ` of ${fault.account}`}</td><td>${fault.do}</td><td>${fault.times ?? 'until cleared'}</td><td>${fault.ms} ms</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">On</th><th scope="col">Does</th><th scope="col">Times left</th><th scope="col">Time</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const countedTypes = { contacts: 1, companies: 2, invoices: 53 };

function hubRows(world: World) {
  return hubs.map((hub) => {
    const counts = Object.entries(countedTypes).map(([name, type]) => {
      const n =
        world.store.get<{ n: number }>(
          'SELECT count(*) AS n FROM records WHERE hub_id = ? AND type = ? AND archived_ms IS NULL',
          hub.hubId,
          type,
        )?.n ?? 0;
      return `${n} ${name}`;
    });
    const terminals = listTerminals(world).filter((terminal) => terminal.hub_id === hub.hubId);
    return html`<tr><th scope="row">${hub.name}</th><td>${hub.hubId}</td><td>${counts.join(', ')}</td><td>${terminals.map((device) => device.name).join(', ') || 'no devices'}</td></tr>`;
  });
}

function listSettings(world: World): [string, string][] {
  const { webhook_urls, granted_scopes, ...otherSettings } = world.settings();
  return [
    ...Object.entries(otherSettings).map(([name, value]): [string, string] => [name, String(value)]),
    ['granted_scopes', granted_scopes?.join(' ') ?? 'what was asked for'],
    ...(Object.keys(webhook_urls) as (keyof typeof webhook_urls)[]).map((kind): [string, string] => [
      `webhook_urls.${kind}`,
      webhookUrl(world, kind),
    ]),
  ];
}

const tableRows = (table: string[][]) =>
  table.map(
    ([first, ...rest]) => html`<tr><td><code>${first}</code></td>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );

export function frontPageRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.get('/', (c) =>
    c.html(
      page(
        'The outside world, simulated',
        html`<p>This process stands in for the CRM, the card gateway and the mail service, so that the product at <a href="${world.productUrl}">${world.productUrl}</a> runs without any account. It speaks their wire formats, but it is a simulation, not HubSpot or Clearent. No money moves and no mail leaves.</p>
          <h2>Look at</h2>
          <dl>
            <dt><a href="${world.productUrl}/oauth/start">Log in with the CRM</a></dt><dd>through the product to the consent page, where you choose account and user</dd>
            <dt><a href="/onboarding/applications">Applications</a></dt><dd>${listApplications(world).length} businesses at the card provider: sign, approve, decline, board</dd>
            <dt><a href="/terminals">Terminals</a></dt><dd>the card readers on the counters: tap, decline, cancel, take offline</dd>
            <dt><a href="/mail">Mailbox</a></dt><dd>${countRows(world, 'SELECT count(*) AS n FROM mails')} mails</dd>
            <dt><a href="/_sandbox/alerts">Alerts</a></dt><dd>${countRows(world, 'SELECT count(*) AS n FROM operator_alerts')} at the operator’s webhook</dd>
            <dt><a href="/_sandbox/charges">Charges</a></dt><dd>${countRows(world, 'SELECT count(*) AS n FROM transactions')} transactions at the gateway</dd>
            <dt><a href="/_sandbox/state">State</a></dt><dd>hubs and terminals as JSON</dd>
            <dt><a href="/_sandbox/requests">Requests</a></dt><dd>what the product called</dd>
            <dt><a href="/js-sdk/frame">Card frame</a></dt><dd>the fields as they stand inside the pay page</dd>
          </dl>
          <h2>Cards</h2>
          <div class="scroll"><table><thead><tr><th scope="col">Number</th><th scope="col">Outcome</th><th scope="col">Security code</th></tr></thead><tbody>${tableRows(CARDS)}</tbody></table></div>
          <p>Any expiration date in the future. Amounts of 1.00 and more are approved; below that the amount decides.</p>
          <h2>Bank accounts</h2>
          <div class="scroll"><table><thead><tr><th scope="col">Routing number</th><th scope="col">Account number</th><th scope="col">Outcome</th></tr></thead><tbody>${tableRows(ACCOUNTS)}</tbody></table></div>
          <h2>Hubs</h2>
          <div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Hub id</th><th scope="col">Records</th><th scope="col">Devices</th></tr></thead><tbody>${hubRows(world)}</tbody></table></div>
          <h2>Faults waiting</h2>
          ${faultList(world)}
          <h2>Faults there are</h2>
          <p><code>on</code> is a path prefix of the wire API or one of <code>crm</code>, <code>gateway</code>, <code>mail</code>, <code>terminal</code>; <code>do</code> is one of these; <code>times</code> is 1 unless given.</p>
          <div class="scroll"><table><tbody>${tableRows(Object.entries(faultKinds))}</tbody></table></div>
          <h2>Settings</h2>
          <dl>${listSettings(world).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}<dt>clock</dt><dd><time>${new Date(world.now()).toISOString()}</time></dd></dl>
          <h2>Control calls</h2>
          <div class="scroll"><table><tbody>${tableRows(CONTROLS)}</tbody></table></div>`,
      ),
    ),
  );
  return app;
}
