import { Hono } from 'hono';
import { html } from 'hono/html';
import { refuseForeignPages } from '../control-guard.ts';
import { hubOf } from '../crm/oauth-tokens.ts';
import { listTerminals } from '../gateway/terminals/terminals.ts';
import { page } from '../pages/page.ts';
import { sentWebhooks, type Webhooks, webhookUrl } from '../webhooks.ts';
import type { SandboxEnv, World } from '../world.ts';
import { type Application, findApplicationByToken, listApplications } from './applications.ts';
import { type Action, actions, isAction, performAction } from './decide.ts';

const timeElement = (iso: string) => html`<time>${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
const button = (action: Action) =>
  html`<button class="secondary" name="do" value="${action}">${actions[action].label}</button>`;

/** Describes the outcome of one attempt to send a webhook. */
function describeOutcome(outcome: string): string {
  if (/^2\d\d$/.test(outcome)) return `delivered (${outcome})`;
  return /^\d+$/.test(outcome) ? `answered ${outcome}` : outcome;
}

function historyTable(world: World, application: Application) {
  const created = new Date(application.created_ms).toISOString();
  const rows = sentWebhooks(world, 'boarding', application.merchant_number).map(
    ({ event, at, attempts }) =>
      html`<tr><th scope="row">${event}</th><td>${timeElement(at)}</td><td>${attempts.map(({ outcome }) => describeOutcome(outcome)).join(', then ') || 'under way'}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th scope="col">Event</th><th scope="col">At</th><th scope="col">Webhook</th></tr></thead><tbody><tr><th scope="row">Applied</th><td>${timeElement(created)}</td><td>none is sent for this</td></tr>${rows}</tbody></table></div>`;
}

function terminalTable(world: World, application: Application) {
  const rows = listTerminals(world)
    .filter((terminal) => terminal.merchant_id === application.merchant_number)
    .map(
      ({ terminal_id, name, channel }) =>
        html`<tr><th scope="row">${name}</th><td>${terminal_id}</td><td>${channel === 'counter' ? 'counter' : 'online payments'}</td></tr>`,
    );
  if (rows.length === 0) return html`<p class="empty">None. They are made when the merchant is boarded.</p>`;
  return html`<div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">For</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The page on which a visitor plays both the merchant who signs and the provider who decides. */
function applicationPage(world: World, application: Application) {
  return page(
    `Application of ${application.dba_name}`,
    html`<p>In the real world the business completes and signs its application here, and the provider decides later. In this one you play both.</p>
      <dl>
        <dt>Status</dt><dd><strong>${application.status}</strong></dd>
        <dt>Doing business as</dt><dd>${application.dba_name}</dd>
        <dt>E-mail</dt><dd>${application.email}</dd>
        <dt>Category code</dt><dd>${application.mcc_code}</dd>
        <dt>Merchant number</dt><dd>${application.merchant_number}</dd>
        <dt>CRM account</dt><dd>${application.hub_id === null ? 'not known' : (hubOf(application.hub_id)?.name ?? application.hub_id)}</dd>
      </dl>
      <form method="post">
        <h2>As the business</h2>
        <div class="actions">${button('sign')}</div>
        <h2>As the provider</h2>
        <div class="actions">${(['pend', 'review', 'approve', 'decline', 'board'] as const).map(button)}</div>
      </form>
      <p class="hint">Each button sends a webhook to <code>${webhookUrl(world, 'boarding')}</code>. Board makes two counter terminals and one for online payments; pressed again it repeats the same ones.</p>
      <h2>History</h2>
      ${historyTable(world, application)}
      <h2>Terminals</h2>
      ${terminalTable(world, application)}
      <p><a href="/onboarding/applications">All applications</a></p>`,
  );
}

const missingPage = () =>
  page(
    'No such application',
    html`<p>It does not exist, or it is from before a reset.</p><p><a href="/onboarding/applications">All applications</a></p>`,
  );

export function onboardingRoutes(world: World, webhooks: Webhooks): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use('/onboarding/*', refuseForeignPages);

  // [guessed] Lists all applications for the visitor, who plays the provider. The real list is internal.
  app.get('/onboarding/applications', (c) => {
    const rows = listApplications(world).map(
      (application) =>
        html`<tr><td><a href="/onboarding/applications/${application.token}">${application.dba_name}</a></td><td>${application.status}</td><td>${application.merchant_number}</td><td>${timeElement(new Date(application.created_ms).toISOString())}</td></tr>`,
    );
    return c.html(
      page(
        'Merchant applications',
        html`<p>What the card provider knows of businesses that want to take cards, oldest first.</p>
          <div class="scroll"><table><thead><tr><th scope="col">Business</th><th scope="col">Status</th><th scope="col">Merchant number</th><th scope="col">Applied</th></tr></thead><tbody>${rows}</tbody></table></div>`,
      ),
    );
  });
  // [documented] The merchant continues at an address that the provider also emails.
  app.get('/onboarding/applications/:token', (c) => {
    const application = findApplicationByToken(world, c.req.param('token'));
    return application ? c.html(applicationPage(world, application)) : c.html(missingPage(), 404);
  });
  // [guessed] Either party may take its steps in any order. The states are documented with the webhooks.
  app.post('/onboarding/applications/:token', async (c) => {
    const application = findApplicationByToken(world, c.req.param('token'));
    if (!application) return c.html(missingPage(), 404);
    const action = (await c.req.parseBody()).do;
    if (!isAction(action)) return c.text('there is no such button', 400);
    await performAction(world, webhooks, application, action);
    return c.redirect(c.req.path, 303);
  });
  return app;
}
