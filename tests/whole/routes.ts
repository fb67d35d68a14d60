import { createApp } from '#worker/app';
import { createContentArea } from '#worker/areas/content';
import { everyRoute } from '#worker/areas/every-route';
import { createMerchantArea } from '#worker/areas/merchant';
import { createOperateArea } from '#worker/areas/operate';
import { createOperatorArea } from '#worker/areas/operator';
import { type RouteAccess, staffCallers } from '#worker/security/route-access';

/**
 * Routes whose feature is not built yet: with a bearer they refuse every caller. Remove a route here when it is
 * built.
 */
export const unbuilt: string[] = [];

const noDeps = (): never => {
  throw new Error('nothing is asked here');
};

/** Prefixes that only lead to an area or its guard, not addresses themselves. */
const PARTS =
  /^(?:\/api\/(?:(?:auth|cms|public|internal|operator|operate)\/)?\*|\/(?:cms|operator)(?:\/\*)?|\/(?:media|blog|pages|preview)\/\*)$/;

type Registered = { method: string; path: string };
const names = (routes: Registered[]) =>
  routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);

/** All routes that the Worker has registered. */
export function registeredRoutes(): string[] {
  const coreRoutes = [...createApp(noDeps).routes, ...createMerchantArea(noDeps).routes];
  const areaRoutes = [createContentArea, createOperatorArea, createOperateArea].flatMap((make) => make(noDeps).routes);
  const all = [...coreRoutes.filter(({ path }) => !PARTS.test(path)), ...areaRoutes];
  return [...new Set(names(all))];
}

export type Call = { route: string; method: string; path: string };

/** The calls of these callers, with the path's parts filled in. */
export const callsOf = (
  callers: readonly RouteAccess[],
  fill: (part: string, path: string) => string = () => '1',
): Call[] =>
  everyRoute
    .filter(({ route }) => callers.includes(route.access))
    .map(({ name, method, path }) => ({
      route: name,
      method,
      path: path.replace(/:(\w+)/g, (_all, part: string) => fill(part, path)),
    }));

/** Routes that only merchants call with their bearer. */
export const STAFF: readonly RouteAccess[] = staffCallers.filter((who) => who !== 'staff or holder of a pay link');
/** Routes for writers; the content area's other routes check the token in the request itself. */
export const WRITERS: RouteAccess[] = ['editor', 'owner'];
/** Routes for operators. */
export const OPERATORS: RouteAccess[] = ['operator', 'operator who just showed the passkey'];
