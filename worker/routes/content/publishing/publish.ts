import type { Context } from 'hono';
import { BuildReportBody, PublishQuery } from '#shared/contracts/content/content-request';
import { builtPath } from '#shared/paths';
import type { Deps, Env } from '#worker/deps';
import { requestBuild } from '#worker/domain/content/publishing/request-build';
import { handleBuildReport, viewPublishState } from '#worker/domain/content/publishing/state';
import { hasSecret } from '#worker/http/guards/program-secret';
import { memberOnly } from '#worker/http/guards/require-editor';
import { limitBody } from '#worker/http/middleware/limit-body';
import { parsed, readJson } from '#worker/http/read/json';
import { queryOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { builtPage } from '#worker/http/reply/page-template';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Builds of the public site, and the reports of its builder. */
export function publishRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/internal/*',
    limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/cms/publish', { GET: memberOnly(depsOf, view), POST: memberOnly(depsOf, buildNow) });
  route(app, '/api/internal/builds/:build', { POST: (c) => hear(c, depsOf(c)) });
}

/** The revision that visitors get now, as the site says; null where it says none. */
async function builtRevision(c: C): Promise<number | null> {
  try {
    const response = await builtPage(c, builtPath);
    const body: unknown = response.ok ? await response.json() : null;
    const revision = typeof body === 'object' && body !== null ? Reflect.get(body, 'revision') : null;
    return typeof revision === 'number' ? revision : null;
  } catch {
    return null;
  }
}

async function view(c: C, deps: Deps): Promise<Response> {
  const query = parsed(c, PublishQuery, queryOf(c));
  if ('refusal' in query) return query.refusal;
  return c.json(await viewPublishState(deps, await builtRevision(c), query.data.revision));
}

async function buildNow(c: C, deps: Deps): Promise<Response> {
  await requestBuild(deps, 'publish-pressed');
  return view(c, deps);
}

async function hear(c: C, deps: Deps): Promise<Response> {
  if (!(await hasSecret(c, deps, deps.settings.BUILD_SECRET)))
    return apiError(c, 401, 'unauthorized', 'Only the builder of this site may say that.');
  const body = await readJson(c, BuildReportBody);
  if ('refusal' in body) return body.refusal;
  switch (await handleBuildReport(deps, c.req.param('build') ?? '', body.data)) {
    case 'noted':
      return c.body(null, 204);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Build not found');
    case 'ended':
      return apiError(c, 409, 'conflict', 'This build has ended.');
  }
}
