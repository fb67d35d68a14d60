/** GET /api/analytics/payments?timeframe= ; `month` where nothing is asked for. */
export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];
