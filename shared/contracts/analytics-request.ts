/** GET /api/analytics/payments?timeframe= */
export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];
/** Where nothing is asked for. */
export const defaultTimeframe: Timeframe = 'month';
