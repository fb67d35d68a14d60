import type { Context } from 'hono';
import type { AuditMailReply } from '#shared/contracts/audit';
import { AuditMailBody, AuditQuery } from '#shared/contracts/audit-request';
import type { Deps, Env } from '#worker/deps';
import { readOwnHead } from '#worker/domain/audit/head-file';
import { exportOwnTrail, switchWeeklyMail, viewTrail } from '#worker/domain/audit/standing';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { parsed, readJson } from '#worker/http/read/json';
import { givenOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { streamCsv } from '#worker/http/reply/list';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The audit trail of an account, for its administrators. */
export function auditRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/audit/*',
    limitBody(1000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/audit', { GET: merchantOnly(depsOf, getTrail) });
  route(app, '/api/audit/head', { GET: merchantOnly(depsOf, getHead) });
  route(app, '/api/audit/mail', { PUT: merchantOnly(depsOf, putMail) });
}

async function getTrail(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const query = parsed(c, AuditQuery, givenOf(c));
  if ('refusal' in query) return query.refusal;
  return query.data.format === 'csv'
    ? streamCsv(c, exportOwnTrail(deps, merchant, query.data), 'audit-trail', deps.now())
    : c.json(await viewTrail(deps, merchant, query.data));
}

const getHead = async (c: C, deps: Deps, merchant: Merchant): Promise<Response> =>
  c.json(await readOwnHead(deps, merchant));

async function putMail(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body = await readJson(c, AuditMailBody);
  if ('refusal' in body) return body.refusal;
  const { weekly } = body.data;
  await switchWeeklyMail(deps, merchant, weekly);
  return c.json({ weekly } satisfies AuditMailReply);
}
