import '#worker/security/operate-permissions';
import { requestDeps } from '#worker/http/acting';
import { noteRoute } from '#worker/http/middleware/every-request';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, newApp } from '#worker/http/route';
import { operateClinicRoutes } from '#worker/routes/operate/clinics';
import { dumpRoutes } from '#worker/routes/operate/dumps';
import { operateRecordRoutes } from '#worker/routes/operate/records';
import { restorationRoutes } from '#worker/routes/operate/restorations';
import type { Deps, Env } from '../deps.ts';

/** In bytes: a part of an archive, or its directory, which has a line of about 130 bytes for each file. */
const MAX_BODY_BYTES = 32_000_000;

/** Calls of the operator's programs; worker/app.ts forwards its requests here. */
export function createOperateArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = requestDeps(depsOf);
  area.use(noteRoute);
  // app.ts answers and logs errors, since it knows the request's id.
  area.onError((cause) => {
    throw cause;
  });
  area.use(limitBody(MAX_BODY_BYTES, (c) => apiError(c, 413, 'too-large', 'The request is too large.')));
  operateClinicRoutes(area, deps);
  operateRecordRoutes(area, deps);
  dumpRoutes(area, deps);
  restorationRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
