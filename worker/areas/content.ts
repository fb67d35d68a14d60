import { requestDeps } from '#worker/http/acting';
import { memberOnly } from '#worker/http/guards/require-editor';
import { noteRoute } from '#worker/http/middleware/every-request';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, newApp } from '#worker/http/route';
import { answerLogin, authRoutes } from '#worker/routes/content/accounts/auth';
import { secondFactorRoutes } from '#worker/routes/content/accounts/second-factor';
import { cmsUserRoutes } from '#worker/routes/content/accounts/users';
import { cmsArticleRoutes } from '#worker/routes/content/articles/articles';
import { cmsAuditRoutes } from '#worker/routes/content/audit/audit';
import { cmsAppRoutes } from '#worker/routes/content/cms-app';
import { mediaRoutes } from '#worker/routes/content/media/files';
import { cmsMediaRoutes } from '#worker/routes/content/media/library';
import { publicContentRoutes } from '#worker/routes/content/publishing/public-content';
import { publicPageRoutes } from '#worker/routes/content/publishing/public-pages';
import { publishRoutes } from '#worker/routes/content/publishing/publish';
import type { Deps, Env } from '../deps.ts';

/** In bytes: the longest text with every character escaped. */
const MAX_BODY_BYTES = 2_000_000;

/** Routes of the content area and of public content; worker/app.ts forwards its requests here. */
export function createContentArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = requestDeps(depsOf);
  area.use(noteRoute);
  // app.ts answers and logs errors, since it knows the request's id.
  area.onError((cause) => {
    throw cause;
  });
  const limit = limitBody(MAX_BODY_BYTES, (c) => apiError(c, 413, 'too-large', 'Content is too long.'));
  // readForm counts a form with files itself.
  area.use((c, next) => (/^multipart\//i.test(c.req.header('content-type') ?? '') ? next() : limit(c, next)));
  authRoutes(area, deps);
  secondFactorRoutes(area, deps, answerLogin);
  cmsUserRoutes(area, deps);
  cmsArticleRoutes(area, deps, 'post');
  cmsArticleRoutes(area, deps, 'page');
  cmsMediaRoutes(area, deps);
  cmsAuditRoutes(area, deps);
  publishRoutes(area, deps);
  publicContentRoutes(area, deps);
  publicPageRoutes(area, deps);
  mediaRoutes(area, deps);
  cmsAppRoutes(area, deps);
  // Unknown paths ask for a login too, so that a stranger cannot find out which calls exist.
  area.all('/api/cms/*', memberOnly(deps, (c) => apiError(c, 404, 'not-found', 'Not found.')).openTo('editor', false));
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
