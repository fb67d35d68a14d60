import * as z from 'zod/mini';

/** GET /api/analytics/payments?timeframe= */
export const PaymentAnalytics = z.object({
  /**
   * Every local day of the timeframe, oldest first: dollars paid that day, without voided payments, less refunds and
   * returns of that day. 0 on days without payments.
   */
  dailyPayments: z.array(z.object({ date: z.string(), amount: z.number() })),
  /** Number of approved, unvoided payments by method. */
  paymentMethods: z.record(z.string(), z.number()),
  /** Number of payment attempts by outcome. */
  transactionStatus: z.record(z.string(), z.number()),
});
export type PaymentAnalytics = z.infer<typeof PaymentAnalytics>;

/** GET /api/analytics/comparison?timeframe= */
export const AnalyticsComparison = z.object({
  /** Refunds and returns of the timeframe: amount in dollars, and count. */
  refunds: z.object({ amount: z.number(), count: z.number() }),
  /** The preceding period of the same length: its unvoided payments, and its days like `dailyPayments`. */
  before: z.object({
    payments: z.number(),
    dailyPayments: z.array(z.object({ date: z.string(), amount: z.number() })),
  }),
  /** Unvoided payments of the timeframe: 7 weekdays from Sunday, each with 24 local hours. */
  hours: z.array(z.array(z.number())),
});
export type AnalyticsComparison = z.infer<typeof AnalyticsComparison>;

export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];
/** The default timeframe. */
export const defaultTimeframe: Timeframe = 'month';

/** GET /api/analytics/payments?timeframe= */
export const TimeframeQuery = z.object({
  timeframe: z._default(z.enum(timeframes, 'Timeframe must be week, month or year.'), defaultTimeframe),
});
