import type { Context } from 'hono';
import { defaultTimeframe, type Timeframe, timeframes } from '#shared/contracts/analytics-request';
import type { Deps, Env } from '#worker/deps';
import { viewAnalytics } from '#worker/domain/analytics/view-analytics';
import { viewComparison } from '#worker/domain/analytics/view-comparison';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

export function analyticsRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/analytics/payments', { GET: merchantOnly(depsOf, figures(viewAnalytics)) });
  route(app, '/api/analytics/comparison', { GET: merchantOnly(depsOf, figures(viewComparison)) });
}

type View = (deps: Deps, accountId: number, timeframe: Timeframe) => Promise<object>;

/** The figures of the timeframe that is asked for. */
const figures =
  (view: View) =>
  async (c: C, deps: Deps, { accountId }: Merchant): Promise<Response> => {
    const [asked = defaultTimeframe, ...more] = c.req.queries('timeframe') ?? [];
    if (!isTimeframe(asked) || more.length > 0) {
      return apiError(c, 422, 'invalid', 'Timeframe must be week, month or year.');
    }
    return c.json(await view(deps, accountId, asked));
  };

const isTimeframe = (text: string): text is Timeframe => (timeframes as readonly string[]).includes(text);
