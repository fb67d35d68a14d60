import * as z from 'zod/mini';

export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];
/** Where nothing is asked for. */
export const defaultTimeframe: Timeframe = 'month';

/** GET /api/analytics/payments?timeframe= */
export const TimeframeQuery = z.object({
  timeframe: z._default(z.enum(timeframes, 'Timeframe must be week, month or year.'), defaultTimeframe),
});
