import { programGuard } from '#worker/http/guards/program-secret';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { dumpRoutes, restorationRoutes } from '#worker/routes/operate/backups';
import { operateClinicRoutes } from '#worker/routes/operate/clinics';
import { operateRecordRoutes } from '#worker/routes/operate/records';
import type { Deps, Env } from '../deps.ts';

/** Routes for the operator's programs. */
export const operateRouteGroups: readonly Routes[] = [
  operateClinicRoutes,
  operateRecordRoutes,
  dumpRoutes,
  restorationRoutes,
];

/**
 * The body limit in bytes, for a part of an archive or for its directory, which has a line of about 130 bytes per file.
 */
const BODY_LIMIT = 32_000_000;

/** worker/app.ts forwards this area's requests here. */
export const createOperateArea = (depsOf: (env: Env) => Deps): App =>
  serveArea(operateRouteGroups, depsOf, { guards: [programGuard], bodyLimit: BODY_LIMIT });
