import type { Context } from 'hono';
import {
  ForecastQuery,
  InvoiceRemindersBody,
  RemindersBody,
  ReminderTestBody,
} from '#shared/contracts/reminders-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { parsed, readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { JUST_MAILED } from '#worker/http/reply/invoice-mail';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Loaded on demand: most calls of staff are of other things. */
const settings = () => import('#worker/domain/reminders/settings');
const ofInvoice = () => import('#worker/domain/reminders/invoice');

/** When an account reminds its payers, and which invoices it leaves out. */
export function reminderRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(1000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  for (const path of ['/api/reminders', '/api/reminders/*', '/api/invoices/:id/reminders']) app.use(path, limit);
  route(app, '/api/reminders', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await (await settings()).viewReminders(deps, you))),
    PUT: merchantOnly(depsOf, putReminders),
  });
  route(app, '/api/reminders/forecast', { GET: merchantOnly(depsOf, getForecast) });
  route(app, '/api/reminders/test', { POST: merchantOnly(depsOf, postTest) });
  route(app, '/api/invoices/:id/reminders', {
    GET: merchantOnly(depsOf, async (c, deps, you) =>
      orNotFound(c, await (await ofInvoice()).viewInvoiceReminders(deps, you, idOf(c))),
    ),
    PUT: merchantOnly(depsOf, putInvoice),
  });
}

const idOf = (c: C) => c.req.param('id') ?? '';
const orNotFound = (c: C, view: object | null) =>
  view ? c.json(view) : apiError(c, 404, 'not-found', 'No invoice found');

async function putReminders(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, RemindersBody);
  if ('refusal' in body) return body.refusal;
  return c.json(await (await settings()).saveReminders(deps, you, body.data.steps));
}

async function getForecast(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const query = parsed(c, ForecastQuery, { steps: c.req.query('steps') });
  if ('refusal' in query) return query.refusal;
  return c.json(await (await settings()).forecastReminders(deps, you, query.data.steps));
}

async function postTest(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, ReminderTestBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await (await import('#worker/domain/reminders/test-mail')).sendReminderTest(
    deps,
    you,
    body.data.when,
  );
  switch (outcome.kind) {
    case 'sent':
    case 'queued':
      return c.json({ to: outcome.to }, outcome.kind === 'sent' ? 200 : 202);
    case 'no-invoice':
      return apiError(c, 409, 'conflict', 'There is no open invoice that a reminder could be about.');
    case 'no-own-address':
    case 'refused':
      return apiError(c, 422, 'invalid', 'No email can be sent to your own address.');
    case 'too-many':
      return apiError(c, 429, 'too-many', JUST_MAILED);
  }
}

async function putInvoice(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, InvoiceRemindersBody);
  if ('refusal' in body) return body.refusal;
  return orNotFound(c, await (await ofInvoice()).setExcluded(deps, you, idOf(c), body.data.is_excluded));
}
