import { operatorLimits } from '#shared/operator-limits';
import { operatorGuard } from '#worker/http/guards/require-operator';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { operatorRoutes } from '#worker/routes/operators/operators';
import { operatorAreaRoutes } from '#worker/routes/operators/overview';
import { operatorSignInRoutes } from '#worker/routes/operators/sign-in';
import type { Deps, Env } from '../deps.ts';

/** Of who runs the installation, in a browser. */
export const operatorRooms: readonly Routes[] = [operatorSignInRoutes, operatorRoutes, operatorAreaRoutes];

/** worker/app.ts forwards its requests here. */
export const createOperatorArea = (depsOf: (env: Env) => Deps): App =>
  serveArea(operatorRooms, depsOf, { guards: [operatorGuard], bodyLimit: operatorLimits.body });
