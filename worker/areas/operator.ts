import { operatorLimits } from '#shared/contracts/operators/operator-values';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { operatorActionRoutes } from '#worker/routes/operators/actions';
import { operatorAuditRoutes } from '#worker/routes/operators/audit';
import { operatorRoutes, operatorSignInRoutes } from '#worker/routes/operators/operators';
import { operatorViewRoutes } from '#worker/routes/operators/views';
import type { Deps, Env } from '../deps.ts';
import { operatorGuard } from '../http/guards/require-operator.ts';

/** Routes for operators of the installation, in a browser. */
export const operatorRouteGroups: readonly Routes[] = [
  operatorSignInRoutes,
  operatorRoutes,
  operatorViewRoutes,
  operatorAuditRoutes,
  operatorActionRoutes,
];

/** worker/app.ts forwards this area's requests here. */
export const createOperatorArea = (depsOf: (env: Env) => Deps): App =>
  serveArea(operatorRouteGroups, depsOf, { guards: [operatorGuard], bodyLimit: operatorLimits.body });
