import { createApp } from '#worker/app';
import { createContentArea } from '#worker/areas/content';
import { everyRoute } from '#worker/areas/every-route';
import { createMerchantArea } from '#worker/areas/merchant';
import { createOperateArea } from '#worker/areas/operate';
import { createOperatorArea } from '#worker/areas/operator';
import { staffCallers, type Who } from '#worker/security/who';

/**
 * Routes whose feature is not built yet: with a bearer they refuse every caller. Remove a route here when it is
 * built.
 */
export const unbuilt: string[] = [];

const nobody = (): never => {
  throw new Error('nothing is asked here');
};

/** Prefixes that only lead to an area or its guard, not addresses themselves. */
const PARTS =
  /^(?:\/api\/(?:(?:auth|cms|public|internal|operator|operate)\/)?\*|\/(?:cms|operator)(?:\/\*)?|\/(?:media|blog|pages|preview)\/\*)$/;

type Registered = { method: string; path: string };
const names = (from: Registered[]) =>
  from.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);

/** All routes that the Worker has registered. */
export function registeredRoutes(): string[] {
  const own = [...createApp(nobody).routes, ...createMerchantArea(nobody).routes];
  const trees = [createContentArea, createOperatorArea, createOperateArea].flatMap((make) => make(nobody).routes);
  const all = [...own.filter(({ path }) => !PARTS.test(path)), ...trees];
  return [...new Set(names(all))];
}

export type Call = { route: string; method: string; path: string };

/** The calls of these callers, with the path's parts filled in. */
export const callsOf = (callers: readonly Who[], fill: (part: string, path: string) => string = () => '1'): Call[] =>
  everyRoute
    .filter(({ route }) => callers.includes(route.who))
    .map(({ name, method, path }) => ({
      route: name,
      method,
      path: path.replace(/:(\w+)/g, (_all, part: string) => fill(part, path)),
    }));

/** Routes that only merchants call with their bearer. */
export const STAFF: readonly Who[] = staffCallers.filter((who) => who !== 'staff or holder of a pay link');
/** Routes for writers; the content area's other routes check the token in the request itself. */
export const WRITERS: Who[] = ['editor', 'owner'];
/** Routes for who runs the installation. */
export const OPERATORS: Who[] = ['operator', 'operator who just showed the passkey'];
