import type { Context, Handler } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { isGuarded, takesProof, type Who, whoMay } from '#worker/security/permissions';
import type { Env } from '../deps.ts';
import { apiError } from './reply/errors.ts';

export type App = HonoBase<{ Bindings: Env }>;
type Handle = Handler<{ Bindings: Env }>;

/** A handler behind a guard; the route's row in the permissions names who is let in. */
export type Guarded = { admits: readonly Who[]; openTo(who: Who, takesProof: boolean): Handle };

/** Hono's faster router refuses names and ids in one place, as under `/api/invoices/`; it is left out to save size. */
export const newApp = (): App => new HonoBase<{ Bindings: Env }>({ router: new TrieRouter() });

type Methods = Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handle | Guarded>>;

/** Registers a path with all its methods; any other method gets 405 and the list of those that work. */
export function route(app: App, path: string, methods: Methods): void {
  for (const [method, handler] of Object.entries(methods)) routeOne(app, method, path, handler);
  const allowed = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  app.all(path, (c: Context) => {
    c.header('allow', allowed.join(', '));
    return apiError(c, 405, 'method-not-allowed', 'This action is not available.');
  });
}

/**
 * Registers one method of a path, guarded as its row in the permissions says. Throws at start when the row is missing
 * or names another guard.
 */
export function routeOne(app: App, method: string, path: string, handler: Handle | Guarded): void {
  const who = whoMay(method, path);
  const isAsSaid = 'admits' in handler ? handler.admits.includes(who) : !isGuarded(who);
  if (!isAsSaid) throw new Error(`${method} ${path} is for "${who}", and its handler is not guarded so`);
  app.on(method, path, 'admits' in handler ? handler.openTo(who, takesProof(method, path)) : handler);
}
