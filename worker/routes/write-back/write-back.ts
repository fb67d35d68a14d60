import type { Context } from 'hono';
import { ByHandBody, WriteBackBody, WriteBackQuery } from '#shared/contracts/write-back-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { parsed, readJson } from '#worker/http/read/json';
import { givenOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { streamCsv } from '#worker/http/reply/list';
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
  const query = parsed(c, WriteBackQuery, givenOf(c));
  if ('refusal' in query) return query.refusal;
  const { exportUnrecorded, placeOf } = await import('#worker/domain/write-back/unrecorded');
  return query.data.format === 'csv'
    ? streamCsv(c, exportUnrecorded(deps, you.accountId), 'payments-not-in-the-crm', deps.now())
    : c.json(await (await settings()).viewWriteBack(deps, you, placeOf(query.data.before)));
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
  if (!isDone) return apiError(c, 409, 'conflict', 'This is recorded already, or is being recorded.');
  return c.json(await (await settings()).viewWriteBack(deps, you));
}
