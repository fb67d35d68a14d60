import type { Context, Handler } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { Env } from '../deps.ts';
import { apiError } from './errors.ts';

export type App = HonoBase<{ Bindings: Env }>;

/** Hono's faster router refuses names and ids in the same place, as under `/api/invoices/`; it is left out, being large. */
export const newApp = (): App => new HonoBase<{ Bindings: Env }>({ router: new TrieRouter() });

type Methods = Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler<{ Bindings: Env }>>>;

/** Register a path with all its methods; any other method is answered with 405 and the list of those that work. */
export function route(app: App, path: string, methods: Methods): void {
  for (const [method, handler] of Object.entries(methods)) app.on(method, path, handler);
  const allowed = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  app.all(path, (c: Context) => {
    c.header('allow', allowed.join(', '));
    return apiError(c, 405, 'method-not-allowed', 'This action is not available.');
  });
}
