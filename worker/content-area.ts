import type { Deps, Env } from './deps.ts';
import { apiError } from './middleware/errors.ts';
import { noteRoute } from './middleware/every-request.ts';
import { limitBody } from './middleware/limit-body.ts';
import { type App, newApp } from './middleware/methods.ts';
import { memberOnly } from './middleware/require-editor.ts';
import { authRoutes } from './routes/auth.ts';
import { cmsAppRoutes } from './routes/cms-app.ts';
import { cmsArticleRoutes } from './routes/cms-articles.ts';
import { cmsMediaRoutes } from './routes/cms-media.ts';
import { cmsUserRoutes } from './routes/cms-users.ts';
import { publicContentRoutes } from './routes/content.ts';
import { mediaRoutes } from './routes/media.ts';
import { publicPageRoutes } from './routes/public-pages.ts';
import { publishRoutes } from './routes/publish.ts';

/** The longest text, with every character of it escaped. */
const MAX_BODY_BYTES = 2_000_000;

/** The addresses of the content area and of public content; worker/app.ts hands its requests on to here. */
export function createContentArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = (c: { env: Env }) => depsOf(c.env);
  area.use(noteRoute);
  // Whoever handed the request on knows what to answer and under which id to log it.
  area.onError((cause) => {
    throw cause;
  });
  const limit = limitBody(MAX_BODY_BYTES, (c) => apiError(c, 413, 'too-large', 'Content is too long.'));
  // A form with files is counted where it is read.
  area.use((c, next) => (/^multipart\//i.test(c.req.header('content-type') ?? '') ? next() : limit(c, next)));
  authRoutes(area, deps);
  cmsUserRoutes(area, deps);
  cmsArticleRoutes(area, deps, 'post');
  cmsArticleRoutes(area, deps, 'page');
  cmsMediaRoutes(area, deps);
  publishRoutes(area, deps);
  publicContentRoutes(area, deps);
  publicPageRoutes(area, deps);
  mediaRoutes(area, deps);
  cmsAppRoutes(area, deps);
  // Nobody learns which calls there are without being let in.
  area.all('/api/cms/*', memberOnly(deps, (c) => apiError(c, 404, 'not-found', 'Not found.')).openTo('editor'));
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
