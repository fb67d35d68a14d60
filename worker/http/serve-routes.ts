import type { Context } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { type ListRequest, type ListRules, readListRequest } from '#shared/contracts/lists/list-request';
import { isGuarded, type Who } from '#worker/security/who';
import type { Deps, Env } from '../deps.ts';
import { actingAs, requestDeps } from './acting.ts';
import { limitBody, noteRoute } from './middleware/every-request.ts';
import { parsed, readJson } from './read/json.ts';
import { apiError, type Refuse } from './reply/errors.ts';
import { type C, isForm, isListRules, isMedia, isReadByHandler, type Route, type Routes } from './routes.ts';

/** Parses a list's parameters, or refuses with the names of the invalid ones. */
export function listRequestOf(c: Context, rules: ListRules, refuse: Refuse = apiError): ListRequest | Response {
  const request = readListRequest(rules, new URL(c.req.url).searchParams);
  if (!('fields' in request)) return request;
  return refuse(c, 422, 'invalid', 'The list cannot be shown in this way.', request);
}

/** The query's parameters; a repeated one is joined with commas, as a list of values may also be written. */
export const queryOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')]));

/** The same, where a parameter without a value counts as left out. */
export const givenOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(queryOf(c)).filter(([, value]) => value !== ''));

export type App = HonoBase<{ Bindings: Env }>;

/** Hono's faster router refuses names and ids in one place, as under `/api/invoices/`; it is left out to save size. */
export const newApp = (): App => new HonoBase<{ Bindings: Env }>({ router: new TrieRouter() });

/** Goes on with a request that its guard has let in; `caller`: what the guard found out. */
export type Answer = (c: C, deps: Deps, caller: object) => Promise<Response>;
/** Lets in the callers of the routes that it knows how to check, or answers why not. */
export type Guard = {
  admits: readonly Who[];
  letIn: (route: Route, depsOf: (c: C) => Deps, answer: Answer) => (c: C) => Promise<Response>;
};

export type Serving = {
  depsOf: (c: C) => Deps;
  /** A route whose caller is guarded is checked by the one that admits its `who`. */
  guards: readonly Guard[];
  /** Of a body that a route takes and sets no limit for, in bytes, and the sentence for a longer one. */
  bodyLimit: number;
  tooLarge?: string;
};

/** An area of routes that is loaded with the first request for it. */
export function serveArea(rooms: readonly Routes[], depsOf: (env: Env) => Deps, serving: Omit<Serving, 'depsOf'>): App {
  const area = newApp();
  area.use(noteRoute);
  // app.ts answers and logs errors, since it knows the request's id.
  area.onError((cause) => {
    throw cause;
  });
  serveRoutes(area, rooms, { ...serving, depsOf: requestDeps(depsOf) });
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}

/**
 * Serves declared routes. Each goes through the limit of its body, its guard and its schemas before it is handled; any
 * other method of its path gets 405 and the list of those that work. Throws at start for a guarded route that no guard
 * admits.
 */
export function serveRoutes(app: App, rooms: readonly Routes[], serving: Serving): void {
  const byPath = new Map<string, [method: string, route: Route][]>();
  for (const [name, route] of rooms.flatMap((room) => Object.entries(room))) {
    const [method = '', path = ''] = name.split(' ');
    byPath.set(path, [...(byPath.get(path) ?? []), [method, route]]);
  }
  // An address that names its words is asked before one that would take them for an id.
  const paths = [...byPath].sort(([a], [b]) => openness(a) - openness(b));
  for (const [path, routes] of paths) {
    for (const [method, route] of routes) {
      if (method !== 'GET') app.on(method, path, limitFor(route, serving));
      app.on(method, path, handlerOf(`${method} ${path}`, route, serving));
    }
    const allowed = routes.flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(path, (c: Context) => {
      c.header('allow', allowed.join(', '));
      return apiError(c, 405, 'method-not-allowed', 'This action is not available.');
    });
  }
}

/** How much of an address is left open: its ids, and the rest of a wildcard more than all of them. */
const openness = (path: string): number => (path.match(/:/g)?.length ?? 0) + (path.endsWith('*') ? 100 : 0);

/** Of a body that no route reads, in bytes. */
const UNREAD_LIMIT = 10_000;

function limitFor(route: Route, serving: Serving) {
  const refuse = route.refuse ?? apiError;
  const isAreas = route.bodyLimit === undefined && route.body !== undefined;
  const bytes = route.bodyLimit ?? (isAreas ? serving.bodyLimit : UNREAD_LIMIT);
  const sentence = route.tooLarge ?? (isAreas ? serving.tooLarge : undefined) ?? 'The request is too large.';
  const limit = limitBody(bytes, (c) => refuse(c, 413, 'too-large', sentence));
  // The reader of a form counts its bytes by itself, and keeps no more than one file in memory.
  const isForms = route.body !== undefined && isForm(route.body);
  return isForms ? (_: Context, next: () => Promise<void>) => next() : limit;
}

function handlerOf(name: string, route: Route, { depsOf, guards }: Serving): (c: C) => Promise<Response> {
  const answer: Answer = async (c, deps, caller) => {
    const query = readQuery(c, route);
    if (query instanceof Response) return query;
    const body = await readBody(c, route);
    if (body instanceof Response) return body;
    return route.handle({ c, deps, query, body, ...caller });
  };
  if (!isGuarded(route.who)) {
    const { actor } = route;
    if (!actor) return (c) => answer(c, depsOf(c), {});
    return async (c) => answer(c, await actingAs(c, depsOf(c), { kind: actor, id: '', sessionId: '' }), {});
  }
  const guard = guards.find(({ admits }) => admits.includes(route.who));
  if (!guard) throw new Error(`${name} is for "${route.who}", and no guard of its area admits them`);
  return guard.letIn(route, depsOf, answer);
}

function readQuery(c: C, { query, refuse, ignoresBlanks }: Route): unknown {
  if (!query) return undefined;
  if (isListRules(query)) return listRequestOf(c, query, refuse);
  const result = parsed(c, query, ignoresBlanks ? givenOf(c) : queryOf(c));
  return 'refusal' in result ? result.refusal : result.data;
}

async function readBody(c: C, { body }: Route): Promise<unknown> {
  if (!body || isMedia(body) || isForm(body) || isReadByHandler(body)) return undefined;
  const result = await readJson(c, body);
  return 'refusal' in result ? result.refusal : result.data;
}
