import type { Context } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { type ListRequest, type ListRules, readListRequest } from '#shared/contracts/lists/list-request';
import { isGuarded, type RouteAccess } from '#worker/security/route-access';
import type { Deps, Env } from '../deps.ts';
import { requestDeps, withActor } from './actor-deps.ts';
import { limitBody, recordRoute } from './middleware/every-request.ts';
import { parseInput, readJson } from './read/json.ts';
import { apiError, type Refuse } from './reply/errors.ts';
import { type C, isForm, isListRules, isMedia, isReadByHandler, type Route, type Routes } from './routes.ts';

/** Parses the parameters of a list, or refuses with the names of the invalid ones. */
export function listRequestOf(c: Context, rules: ListRules, refuse: Refuse = apiError): ListRequest | Response {
  const request = readListRequest(rules, new URL(c.req.url).searchParams);
  if (!('fields' in request)) return request;
  return refuse(c, 422, 'invalid', 'The list cannot be shown in this way.', request);
}

/** Returns the query parameters; values of a repeated parameter are joined with commas. */
export const queryOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')]));

/** Returns the query parameters that have a value. */
export const nonBlankQueryOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(queryOf(c)).filter(([, value]) => value !== ''));

export type App = HonoBase<{ Bindings: Env }>;

/**
 * Creates an app without Hono's faster router, which cannot mix names and ids, as under `/api/invoices/`, and would add
 * to the size.
 */
export const newApp = (): App => new HonoBase<{ Bindings: Env }>({ router: new TrieRouter() });

/** Handles an admitted request. `caller`: the facts that the guard provides. */
export type Answer = (c: C, deps: Deps, caller: object) => Promise<Response>;
/** Admits the callers of routes whose `access` is in `admits`, or responds with a refusal. */
export type Guard = {
  admits: readonly RouteAccess[];
  admit: (route: Route, depsOf: (c: C) => Deps, answer: Answer) => (c: C) => Promise<Response>;
};

export type ServingOptions = {
  depsOf: (c: C) => Deps;
  /** A guarded route is checked by the guard that admits its `access`. */
  guards: readonly Guard[];
  /** Default body limit in bytes, and the error message for a larger body. */
  bodyLimit: number;
  tooLarge?: string;
};

/** Serves an area of routes that is loaded with the first request for it. */
export function serveArea(
  groups: readonly Routes[],
  depsOf: (env: Env) => Deps,
  options: Omit<ServingOptions, 'depsOf'>,
): App {
  const area = newApp();
  area.use(recordRoute);
  // app.ts handles and logs errors, because it has the request id.
  area.onError((cause) => {
    throw cause;
  });
  serveRoutes(area, groups, { ...options, depsOf: requestDeps(depsOf) });
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}

/**
 * Serves declared routes. Each request passes the body limit, the guard and the schemas before the handler. Any other
 * method of a path returns 405 with the allowed methods. Throws at startup for a guarded route without a guard.
 */
export function serveRoutes(app: App, groups: readonly Routes[], options: ServingOptions): void {
  const byPath = new Map<string, [method: string, route: Route][]>();
  for (const [name, route] of groups.flatMap((group) => Object.entries(group))) {
    const [method = '', path = ''] = name.split(' ');
    byPath.set(path, [...(byPath.get(path) ?? []), [method, route]]);
  }
  // Literal paths are registered before paths that would match the same segments as an id.
  const paths = [...byPath].sort(([a], [b]) => matchBreadth(a) - matchBreadth(b));
  for (const [path, routes] of paths) {
    for (const [method, route] of routes) {
      if (method !== 'GET') app.on(method, path, limitFor(route, options));
      app.on(method, path, handlerOf(`${method} ${path}`, route, options));
    }
    const allowed = routes.flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(path, (c: Context) => {
      c.header('allow', allowed.join(', '));
      return apiError(c, 405, 'method-not-allowed', 'This action is not available.');
    });
  }
}

/** The sort key of a path: its number of ids, plus 100 for a wildcard. */
const matchBreadth = (path: string): number => (path.match(/:/g)?.length ?? 0) + (path.endsWith('*') ? 100 : 0);

/** Body limit in bytes for routes that read no body. */
const UNREAD_BODY_LIMIT = 10_000;

function limitFor(route: Route, options: ServingOptions) {
  const refuse = route.refuse ?? apiError;
  const usesAreaLimit = route.bodyLimit === undefined && route.body !== undefined;
  const bytes = route.bodyLimit ?? (usesAreaLimit ? options.bodyLimit : UNREAD_BODY_LIMIT);
  const message = route.tooLarge ?? (usesAreaLimit ? options.tooLarge : undefined) ?? 'The request is too large.';
  const limit = limitBody(bytes, (c) => refuse(c, 413, 'too-large', message));
  // The form reader enforces its own limit, and keeps at most one file in memory.
  const isFormBody = route.body !== undefined && isForm(route.body);
  return isFormBody ? (_: Context, next: () => Promise<void>) => next() : limit;
}

function handlerOf(name: string, route: Route, { depsOf, guards }: ServingOptions): (c: C) => Promise<Response> {
  const answer: Answer = async (c, deps, caller) => {
    const query = readQuery(c, route);
    if (query instanceof Response) return query;
    const body = await readBody(c, route);
    if (body instanceof Response) return body;
    return route.handle({ c, deps, query, body, ...caller });
  };
  if (!isGuarded(route.access)) {
    const { actor } = route;
    if (!actor) return (c) => answer(c, depsOf(c), {});
    return async (c) => answer(c, await withActor(c, depsOf(c), { kind: actor, id: '', sessionId: '' }), {});
  }
  const guard = guards.find(({ admits }) => admits.includes(route.access));
  if (!guard) throw new Error(`${name} is for "${route.access}", and no guard of its area admits them`);
  return guard.admit(route, depsOf, answer);
}

function readQuery(c: C, { query, refuse, ignoresBlanks }: Route): unknown {
  if (!query) return undefined;
  if (isListRules(query)) return listRequestOf(c, query, refuse);
  const result = parseInput(c, query, ignoresBlanks ? nonBlankQueryOf(c) : queryOf(c));
  return 'refusal' in result ? result.refusal : result.data;
}

async function readBody(c: C, { body }: Route): Promise<unknown> {
  if (!body || isMedia(body) || isForm(body) || isReadByHandler(body)) return undefined;
  const result = await readJson(c, body);
  return 'refusal' in result ? result.refusal : result.data;
}
