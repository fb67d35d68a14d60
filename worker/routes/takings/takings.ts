import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { viewTakings } from '#worker/domain/takings/view-takings';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** What a day took. */
export function takingsRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/takings', { GET: merchantOnly(depsOf, getTakings) });
}

async function getTakings(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
  const [date, ...more] = c.req.queries('date') ?? [];
  const takings = more.length > 0 ? null : await viewTakings(deps, accountId, date);
  if (!takings) return apiError(c, 422, 'invalid', 'Date must be a day up to today, as YYYY-MM-DD.');
  return c.json(takings);
}
