import type { Context } from 'hono';
import { BuildReportBody } from '#shared/contracts/content-request';
import { builtPath } from '#shared/paths';
import type { Deps, Env } from '../deps.ts';
import { askForBuild } from '../domain/content/ask-for-build.ts';
import { hearBuild, viewPublishState } from '../domain/content/publish-state.ts';
import { apiError } from '../middleware/errors.ts';
import { limitBody } from '../middleware/limit-body.ts';
import { type App, route } from '../middleware/methods.ts';
import { outlive } from '../middleware/outlive.ts';
import { readJson } from '../middleware/read-json.ts';
import { memberOnly } from '../middleware/require-editor.ts';
import { builtPage } from '../pages.ts';

type C = Context<{ Bindings: Env }>;

/** Bringing what was published to the public site, and what its builder says of it. */
export function publishRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/internal/*',
    limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/cms/publish', { GET: memberOnly(depsOf, view), POST: memberOnly(depsOf, buildNow) });
  route(app, '/api/internal/builds/:build', { POST: (c) => hear(c, depsOf(c)) });
}

/** The revision that visitors get now, by the site's own word; null where it says none. */
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

const view = async (c: C, deps: Deps): Promise<Response> =>
  c.json(await viewPublishState(deps, await builtRevision(c)));

async function buildNow(c: C, deps: Deps): Promise<Response> {
  await outlive(c, askForBuild(deps, 'at-once'));
  return view(c, deps);
}

async function hear(c: C, deps: Deps): Promise<Response> {
  const given = /^Bearer (\S{1,500})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  // Both sides hashed: a comparison that ends early then says nothing about the secret.
  const [one, other] = await Promise.all([deps.sha256(given), deps.sha256(deps.settings.BUILD_SECRET)]);
  if (one !== other) return apiError(c, 401, 'unauthorized', 'Only the builder of this site may say that.');
  const body = await readJson(c, BuildReportBody);
  if ('refusal' in body) return body.refusal;
  switch (await outlive(c, hearBuild(deps, c.req.param('build') ?? '', body.data))) {
    case 'noted':
      return c.body(null, 204);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Build not found');
    case 'ended':
      return apiError(c, 409, 'conflict', 'This build has ended.');
  }
}
