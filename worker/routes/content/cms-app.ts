import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { mayOpenContent } from '#worker/http/guards/require-editor';
import { sendBuiltPage } from '#worker/http/reply/page-template';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Access depends on the login, so no cache may keep the pages. */
const headers = { 'cache-control': 'no-store' };

/** The pages of the content area: one built shell for every address, for logged-in members. */
export function cmsAppRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/cms/login', { GET: (c) => getLogin(c, depsOf(c)) });
  route(app, '/cms', { GET: (c) => getShell(c, depsOf(c)) });
  route(app, '/cms/*', { GET: (c) => getShell(c, depsOf(c)) });
}

async function getLogin(c: C, deps: Deps): Promise<Response> {
  return (await mayOpenContent(c, deps)) ? c.redirect('/cms', 303) : sendBuiltPage(c, '/cms/login', { headers });
}

async function getShell(c: C, deps: Deps): Promise<Response> {
  return (await mayOpenContent(c, deps)) ? sendBuiltPage(c, '/cms/shell', { headers }) : c.redirect('/cms/login', 303);
}
