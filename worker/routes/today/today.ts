import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { viewToday } from '#worker/domain/today/view-today';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The head of the dashboard. */
export function todayRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/today', { GET: merchantOnly(depsOf, today) });
}

const today = async (c: C, deps: Deps, { accountId }: Merchant): Promise<Response> =>
  c.json(await viewToday(deps, accountId));
