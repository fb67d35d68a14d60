import { operatorLimits } from '#shared/contracts/operators/operator-values';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { operatorRoutes, operatorSignInRoutes } from '#worker/routes/operators/operators';
import { operatorAreaRoutes } from '#worker/routes/operators/overview';
import type { Deps, Env } from '../deps.ts';
import { operatorGuard } from '../http/guards/require-operator.ts';

/** Routes for operators of the installation, in a browser. */
export const operatorRooms: readonly Routes[] = [operatorSignInRoutes, operatorRoutes, operatorAreaRoutes];

/** worker/app.ts forwards requests of this area here. */
export const createOperatorArea = (depsOf: (env: Env) => Deps): App =>
  serveArea(operatorRooms, depsOf, { guards: [operatorGuard], bodyLimit: operatorLimits.body });
