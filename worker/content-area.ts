import { Hono } from 'hono';
import type { Deps, Env } from './deps.ts';
import { apiError } from './middleware/errors.ts';
import type { App } from './middleware/methods.ts';
import { authRoutes } from './routes/auth.ts';
import { cmsAppRoutes } from './routes/cms-app.ts';
import { cmsUserRoutes } from './routes/cms-users.ts';

/** The addresses of the content area and of public content; worker/app.ts hands its requests on to here. */
export function createContentArea(depsOf: (env: Env) => Deps): App {
  const area: App = new Hono<{ Bindings: Env }>();
  const deps = (c: { env: Env }) => depsOf(c.env);
  // Whoever handed the request on knows what to answer and under which id to log it.
  area.onError((cause) => {
    throw cause;
  });
  authRoutes(area, deps);
  cmsUserRoutes(area, deps);
  cmsAppRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
