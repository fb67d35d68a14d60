import type { Context } from 'hono';
import { ByHandBody, WriteBackBody } from '#shared/contracts/write-back-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Loaded on demand: most calls of staff are of other things. */
const settings = () => import('#worker/domain/write-back/settings');

/** Whether payments are recorded in the CRM, and those of which it shows nothing. */
export function writeBackRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(4000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  for (const path of ['/api/write-back', '/api/write-back/*']) app.use(path, limit);
  route(app, '/api/write-back', { GET: merchantOnly(depsOf, getWriteBack), PUT: merchantOnly(depsOf, putWriteBack) });
  route(app, '/api/write-back/payments/:id', { PUT: merchantOnly(depsOf, putByHand) });
}

async function getWriteBack(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const { exportUnrecorded, viewWriteBack } = await settings();
  if (c.req.query('format') !== 'csv') return c.json(await viewWriteBack(deps, you));
  return c.body(await exportUnrecorded(deps, you), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="payments-not-in-the-crm.csv"',
  });
}

async function putWriteBack(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, WriteBackBody);
  if ('refusal' in body) return body.refusal;
  return c.json(await (await settings()).saveWriteBack(deps, you, body.data.is_on));
}

async function putByHand(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, ByHandBody);
  if ('refusal' in body) return body.refusal;
  const { recordByHand } = await import('#worker/domain/write-back/by-hand');
  const isDone = await recordByHand(deps, you, c.req.param('id') ?? '', body.data.note);
  if (!isDone) return apiError(c, 409, 'conflict', 'This payment is recorded already, or is being recorded.');
  return c.json(await (await settings()).viewWriteBack(deps, you));
}
