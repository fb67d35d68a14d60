import '#worker/security/operator-permissions';
import { operatorLimits } from '#shared/operator-limits';
import { requestDeps } from '#worker/http/acting';
import { noteRoute } from '#worker/http/middleware/every-request';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, newApp } from '#worker/http/route';
import { operatorRoutes } from '#worker/routes/operators/operators';
import { operatorAreaRoutes } from '#worker/routes/operators/overview';
import { operatorSignInRoutes } from '#worker/routes/operators/sign-in';
import type { Deps, Env } from '../deps.ts';

/** Routes of who runs the installation; worker/app.ts forwards its requests here. */
export function createOperatorArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = requestDeps(depsOf);
  area.use(noteRoute);
  // app.ts answers and logs errors, since it knows the request's id.
  area.onError((cause) => {
    throw cause;
  });
  area.use(limitBody(operatorLimits.body, (c) => apiError(c, 413, 'too-large', 'The request is too large.')));
  operatorSignInRoutes(area, deps);
  operatorRoutes(area, deps);
  operatorAreaRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
