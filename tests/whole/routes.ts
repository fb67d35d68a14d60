import { createApp } from '#worker/app';
import { createContentArea } from '#worker/areas/content';
import { createMerchantArea } from '#worker/areas/merchant';
import { everyRow, type Who } from '#worker/security/permissions';

/** With a bearer these refuse everybody until what is behind them is built; whoever builds it takes the line away. */
export const unbuilt: string[] = [];

const nobody = (): never => {
  throw new Error('nothing is asked here');
};

/** Parts of the tree that are handed on to the content area, or guarded as a whole: no addresses of their own. */
const PARTS = /^(?:\/api\/(?:(?:auth|cms|public|internal)\/)?\*|\/cms(?:\/\*)?|\/(?:media|blog|pages|preview)\/\*)$/;

type Registered = { method: string; path: string };
const names = (from: Registered[]) =>
  from.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);

/** What the Worker has registered, however it was done. */
export function registeredRoutes(): string[] {
  const own = [...createApp(nobody).routes, ...createMerchantArea(nobody).routes];
  const all = [...own.filter(({ path }) => !PARTS.test(path)), ...createContentArea(nobody).routes];
  return [...new Set(names(all))];
}

export type Call = { route: string; method: string; path: string };

/** The calls of some callers, each with the parts of its path filled in. */
export const callsOf = (callers: Who[], fill: (part: string, path: string) => string = () => '1'): Call[] =>
  everyRow()
    .filter(([, who]) => callers.includes(who))
    .map(([route]) => {
      const [method = '', path = ''] = route.split(' ');
      return { route, method, path: path.replace(/:(\w+)/g, (_all, part: string) => fill(part, path)) };
    });

/** What merchants call with their bearer and nobody else does. */
export const STAFF: Who[] = ['staff', 'account admin'];
/** What writers use; the content area's other addresses prove themselves by what they carry. */
export const WRITERS: Who[] = ['editor', 'owner'];
