import { AnalyticsComparison, PaymentAnalytics, TimeframeQuery } from '#shared/contracts/payments/analytics';
import { viewAnalytics, viewComparison } from '#worker/domain/analytics/view-analytics';
import { type Routes, route } from '#worker/http/routes';

/** Routes for the payment figures of a timeframe. */
export const analyticsRoutes: Routes = {
  'GET /api/analytics/payments': route({
    access: 'staff',
    summary: 'Show payment analytics',
    query: TimeframeQuery,
    answers: { 200: PaymentAnalytics },
    handle: async ({ c, deps, merchant, query }) =>
      c.json(await viewAnalytics(deps, merchant.accountId, query.timeframe)),
  }),
  'GET /api/analytics/comparison': route({
    access: 'staff',
    summary: 'Compare payments with the previous period',
    query: TimeframeQuery,
    answers: { 200: AnalyticsComparison },
    handle: async ({ c, deps, merchant, query }) =>
      c.json(await viewComparison(deps, merchant.accountId, query.timeframe)),
  }),
};
