import type { Context } from 'hono';
import { AuditQuery } from '#shared/contracts/audit-request';
import type { Deps, Env } from '#worker/deps';
import { readInstallationHead } from '#worker/domain/audit/head-file';
import { exportInstallationTrail, viewInstallationTrail } from '#worker/domain/audit/standing';
import { memberOnly } from '#worker/http/guards/require-editor';
import { parsed } from '#worker/http/read/json';
import { givenOf } from '#worker/http/read/query';
import { streamCsv } from '#worker/http/reply/list';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The installation's own audit trail, for owners of the content area. */
export function cmsAuditRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/cms/audit', { GET: memberOnly(depsOf, getTrail) });
  route(app, '/api/cms/audit/head', { GET: memberOnly(depsOf, getHead) });
}

async function getTrail(c: C, deps: Deps): Promise<Response> {
  const query = parsed(c, AuditQuery, givenOf(c));
  if ('refusal' in query) return query.refusal;
  if (query.data.format === 'csv')
    return streamCsv(c, exportInstallationTrail(deps, query.data), 'audit-trail', deps.now());
  return c.json(await viewInstallationTrail(deps, query.data));
}

const getHead = async (c: C, deps: Deps) => c.json(await readInstallationHead(deps));
