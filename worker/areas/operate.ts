import { programGuard } from '#worker/http/guards/operator-program';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { operateClinicRoutes } from '#worker/routes/operate/clinics';
import { dumpRoutes } from '#worker/routes/operate/dumps';
import { operateRecordRoutes } from '#worker/routes/operate/records';
import { restorationRoutes } from '#worker/routes/operate/restorations';
import type { Deps, Env } from '../deps.ts';

/** Of the operator's programs. */
export const operateRooms: readonly Routes[] = [
  operateClinicRoutes,
  operateRecordRoutes,
  dumpRoutes,
  restorationRoutes,
];

/** In bytes: a part of an archive, or its directory, which has a line of about 130 bytes for each file. */
const BODY_LIMIT = 32_000_000;

/** worker/app.ts forwards its requests here. */
export const createOperateArea = (depsOf: (env: Env) => Deps): App =>
  serveArea(operateRooms, depsOf, { guards: [programGuard], bodyLimit: BODY_LIMIT });
