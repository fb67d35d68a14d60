import type { Context } from 'hono';
import { type Timeframe, timeframes } from '#shared/contracts/analytics';
import type { Deps, Env } from '../deps.ts';
import type { Merchant } from '../domain/session.ts';
import { viewAnalytics } from '../domain/view-analytics.ts';
import { apiError } from '../middleware/errors.ts';
import { type App, route } from '../middleware/methods.ts';
import { merchantOnly } from '../middleware/require-merchant.ts';

type C = Context<{ Bindings: Env }>;

export function analyticsRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/analytics/payments', { GET: merchantOnly(depsOf, payments) });
}

async function payments(c: C, deps: Deps, { hubId }: Merchant): Promise<Response> {
  const [asked = 'month', ...more] = c.req.queries('timeframe') ?? [];
  if (!isTimeframe(asked) || more.length > 0) {
    return apiError(c, 422, 'invalid', 'Timeframe must be week, month or year.');
  }
  return c.json(await viewAnalytics(deps, hubId, asked));
}

const isTimeframe = (text: string): text is Timeframe => (timeframes as readonly string[]).includes(text);
