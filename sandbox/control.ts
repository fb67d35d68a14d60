import { Hono } from 'hono';
import { z } from 'zod';
import { findApplication, listApplications } from './boarding/applications.ts';
import { type Action, actions, describeApplication, performAction } from './boarding/decide.ts';
import { answerInvalidControlCall, InvalidControlCall, readBody, refuseForeignPages } from './control-guard.ts';
import { hubs } from './credentials.ts';
import { INVOICE } from './crm/object-types.ts';
import { findRecord, type Properties, saveProperties } from './crm/records.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import type { TerminalSales } from './gateway/terminals/terminal-sales.ts';
import { listTerminals } from './gateway/terminals/terminals.ts';
import { listMail, recipientsOf } from './mail/mailbox.ts';
import { addInvoice, addInvoices } from './seed/bulk-invoices.ts';
import { deleteCharges } from './seed/gateway-seed.ts';
import { reset } from './seed/seed.ts';
import type { Webhooks } from './webhooks.ts';
import type { SandboxEnv, World } from './world.ts';

const money = z
  .union([z.string(), z.number()])
  .transform((value) => (typeof value === 'number' ? value.toFixed(2) : value));
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const properties = z.record(z.string(), z.union([text, z.null()]));
const LineItemFields = z.strictObject({
  name: z.string(),
  price: z.union([money, z.null()]).optional(),
  quantity: z.union([text, z.null()]).optional(),
  amount: z.union([money, z.null()]).optional(),
  hs_sku: z.string().optional(),
  description: z.string().optional(),
});
const AlertBody = z.strictObject({
  text: z.string(),
  event: z.string(),
  key: z.string(),
  n: z.number().int(),
  first_at: z.iso.datetime(),
  url: z.url(),
});
const DecisionBody = z.strictObject({ do: z.enum(Object.keys(actions) as Action[]) });
const NewInvoices = z.union([
  z.strictObject({ count: z.number().int().min(1).max(200_000) }),
  z.strictObject({
    number: z.union([text, z.null()]).optional(),
    title: z.string().optional(),
    amount: money.optional(),
    paid: money.optional(),
    currency: z.string().length(3).optional(),
    status: z.enum(['draft', 'open', 'paid', 'voided']).optional(),
    due_date: z.iso.date().optional(),
    balance: z.union([money, z.null()]).optional(),
    contact: z.union([properties, z.null()]).optional(),
    company: z.union([properties, z.null()]).optional(),
    line_items: z.array(LineItemFields).max(500).optional(),
    customer: z.number().int().min(0).optional(),
    properties: properties.optional(),
  }),
]);
const NewFault = z.strictObject({
  on: z.union([z.enum(['crm', 'gateway', 'mail', 'terminal']), z.string().startsWith('/')]),
  do: z.enum(Object.keys(faultKinds) as FaultKind[]),
  times: z.number().int().min(1).optional(),
  ms: z.number().int().min(0).max(600_000).default(0),
  to: z.url().optional(),
  account: z.number().int().optional(),
});
const webhookAddress = z.url({ protocol: /^https?$/ }).nullable();
const AccountChange = z.strictObject({
  dedupe: z.enum(['commit', 'arrival', 'none']).optional(),
  rotate_refresh: z.boolean().optional(),
  limits: z.boolean().optional(),
  auto_tap: z.boolean().optional(),
  terminal_timeout_ms: z.number().int().min(1).max(600_000).optional(),
  terminal_replies: z.enum(['bare', 'full']).optional(),
  ach_replies: z.enum(['transaction', 'ach-transaction']).optional(),
  introspection: z.enum(['full', 'bare']).optional(),
  consent: z.enum(['anyone', 'installer-only']).optional(),
  batch_close: z.enum(['closed', 'pending', 'failed']).optional(),
  webhooks_first: z.boolean().optional(),
  granted_scopes: z.array(z.string().regex(/^\S+$/)).min(1).nullable().optional(),
  payments: z.enum(['on', 'off', 'record-only', 'no-parts']).nullable().optional(),
  association_lag_ms: z.number().int().min(0).max(3_600_000).optional(),
  optional_scopes: z.array(z.string().regex(/^\S+$/)).nullable().optional(),
  wallet_declines: z.enum(['spent', 'kept']).optional(),
  apple_domains: z.enum(['enabled', 'pending', 'refused']).optional(),
});
const SettingsChange = AccountChange.extend({
  invalid_fields: z.enum(['reject', 'pending']).optional(),
  apple_pay: z.enum(['page', 'frame', 'off']).optional(),
  google_pay: z.enum(['ready', 'off']).optional(),
  google_button: z.enum(['element', 'form']).optional(),
  google_cancel: z.enum(['silent', 'error']).optional(),
  google_amount: z.enum(['init', 'press']).optional(),
  google_script: z.enum(['simulated', 'google']).optional(),
  script_suffix: z.string().max(1000).optional(),
  webhook_urls: z
    .strictObject({ boarding: webhookAddress, transactions: webhookAddress, mail: webhookAddress })
    .partial()
    .optional(),
  mail_delay_ms: z.number().int().min(0).max(600_000).optional(),
});

function requireHub(name: string) {
  const hub = hubs.find((candidate, index) => String(candidate.hubId) === name || String(index + 1) === name);
  if (!hub) throw new InvalidControlCall(`there is no hub ${name}`);
  return hub;
}

function describeState(world: World) {
  const counts = world.store.all<{ hub_id: number; type: number; n: number }>(
    'SELECT hub_id, type, count(*) AS n FROM records WHERE archived_ms IS NULL GROUP BY hub_id, type',
  );
  const count = (hubId: number, type: number) =>
    counts.find((row) => row.hub_id === hubId && row.type === type)?.n ?? 0;
  return {
    hubs: hubs.map((hub) => ({
      hub_id: hub.hubId,
      name: hub.name,
      domain: hub.domain,
      users: hub.users.map((user) => ({ user_id: user.userId, email: user.email, role: user.role })),
      invoices: count(hub.hubId, 53),
      contacts: count(hub.hubId, 1),
      companies: count(hub.hubId, 2),
    })),
    terminals: listTerminals(world).map(({ terminal_id, name, hub_id, online }) => ({
      terminal_id,
      name,
      hub_id,
      online: online === 1,
    })),
    charges: world.store.get<{ n: number }>('SELECT count(*) AS n FROM transactions')?.n ?? 0,
    mail: world.store.get<{ n: number }>('SELECT count(*) AS n FROM mails')?.n ?? 0,
  };
}

function describeMail(world: World, to: string | undefined) {
  return listMail(world, to).map((mail) => {
    const recipients = recipientsOf(mail);
    return {
      id: mail.id,
      at: new Date(mail.at_ms).toISOString(),
      from: mail.sender,
      reply_to: mail.reply_to,
      to: recipients.length === 1 ? recipients[0] : recipients,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    };
  });
}

/** Control calls for people, tests and benchmarks. */
export function controlRoutes(world: World, webhooks: Webhooks, terminalSales: TerminalSales): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.onError(answerInvalidControlCall);
  app.use('/_sandbox/*', refuseForeignPages);
  app.get('/_sandbox/state', (c) => c.json(describeState(world)));
  app.get('/_sandbox/mail', (c) => c.json(describeMail(world, c.req.query('to'))));
  // Stands in for the operator's chat service, to which the product posts alerts.
  app.post('/_sandbox/alerts', async (c) => {
    const body = await readBody(c, AlertBody);
    world.store.run('INSERT INTO operator_alerts (at_ms, body) VALUES (?, ?)', world.now(), JSON.stringify(body));
    return c.json({ ok: true });
  });
  app.get('/_sandbox/alerts', (c) =>
    c.json(
      world.store
        .all<{ at_ms: number; body: string }>('SELECT at_ms, body FROM operator_alerts ORDER BY seq')
        .map(({ at_ms, body }) => ({ at: new Date(at_ms).toISOString(), ...JSON.parse(body) })),
    ),
  );
  app.get('/_sandbox/requests', (c) => {
    const since = c.req.query('since') ?? '';
    return c.json(world.requests.listSince(/^\d+$/.test(since) ? Number(since) : Date.parse(since) || 0));
  });
  app.post('/_sandbox/hubs/:hub/invoices', async (c) => {
    const { hubId } = requireHub(c.req.param('hub'));
    const fields = await readBody(c, NewInvoices);
    const ids = 'count' in fields ? await addInvoices(world, hubId, fields.count) : [addInvoice(world, hubId, fields)];
    return c.json({ ids }, 201);
  });
  app.patch('/_sandbox/hubs/:hub/invoices/:id', async (c) => {
    const { hubId } = requireHub(c.req.param('hub'));
    const change = await readBody(c, z.strictObject({ properties }));
    const record = findRecord(world, hubId, INVOICE, c.req.param('id'));
    if (!record) throw new InvalidControlCall('this hub has no such invoice');
    const storedProperties: Properties = JSON.parse(record.properties);
    saveProperties(world, hubId, INVOICE, record.id, { ...storedProperties, ...change.properties });
    return c.json({ id: String(record.id) });
  });
  app.delete('/_sandbox/hubs/:hub/charges', (c) => {
    deleteCharges(world, requireHub(c.req.param('hub')).hubId);
    return c.json({});
  });
  app.get('/_sandbox/faults', (c) => c.json(world.faults.list()));
  app.post('/_sandbox/faults', async (c) => {
    const { times, account, ...fault } = await readBody(c, NewFault);
    const scope = account === undefined ? {} : { account: requireHub(String(account)).hubId };
    // A lag is a state of the index, so it lasts until it is cleared or its number of lookups is used up.
    world.faults.add({ ...fault, ...scope, times: times ?? (fault.do === 'search-lag' ? null : 1) });
    return c.json(world.faults.list(), 201);
  });
  app.delete('/_sandbox/faults', (c) => {
    const account = c.req.query('account');
    world.faults.clear(account === undefined ? undefined : requireHub(account).hubId);
    return c.json(world.faults.list());
  });
  app.post('/_sandbox/settings', async (c) => {
    const { webhook_urls, ...change } = await readBody(c, SettingsChange);
    return c.json(
      world.changeSettings({ ...change, webhook_urls: { ...world.settings().webhook_urls, ...webhook_urls } }),
    );
  });
  app.post('/_sandbox/hubs/:hub/settings', async (c) => {
    const { hubId } = requireHub(c.req.param('hub'));
    return c.json(world.changeAccount(hubId, await readBody(c, AccountChange)));
  });
  app.delete('/_sandbox/hubs/:hub/settings', (c) =>
    c.json(world.changeAccount(requireHub(c.req.param('hub')).hubId, null)),
  );
  app.get('/_sandbox/applications', (c) =>
    c.json(listApplications(world).map((application) => describeApplication(world, application))),
  );
  app.post('/_sandbox/applications/:merchantNumber', async (c) => {
    const decision = await readBody(c, DecisionBody);
    const application = findApplication(world, c.req.param('merchantNumber'));
    if (!application) throw new InvalidControlCall('there is no application with this merchant number');
    await performAction(world, webhooks, application, decision.do);
    return c.json(describeApplication(world, findApplication(world, application.merchant_number) ?? application));
  });
  app.post('/_sandbox/reset', async (c) => {
    const { at } = await readBody(c, z.strictObject({ at: z.number().optional() }));
    webhooks.cancel();
    terminalSales.cutConnections();
    reset(world, at);
    return c.json(describeState(world));
  });
  return app;
}
