import * as z from 'zod/mini';

/** GET /api/analytics/payments?timeframe= */
export const PaymentAnalytics = z.object({
  /**
   * Every local day of the timeframe, oldest first, 0 for a quiet one: dollars paid that day, without voided payments,
   * less refunds and returns of that day.
   */
  dailyPayments: z.array(z.object({ date: z.string(), amount: z.number() })),
  /** Approved payments that were not voided, by how they were paid. */
  paymentMethods: z.record(z.string(), z.number()),
  /** Attempts to pay by how they ended. */
  transactionStatus: z.record(z.string(), z.number()),
});
export type PaymentAnalytics = z.infer<typeof PaymentAnalytics>;

/** GET /api/analytics/comparison?timeframe= */
export const AnalyticsComparison = z.object({
  /** Refunds and returns of the timeframe: what they gave back, in dollars, and how many they were. */
  refunds: z.object({ amount: z.number(), count: z.number() }),
  /** The period before, of the same length: its payments that were not voided, and its days like `dailyPayments`. */
  before: z.object({
    payments: z.number(),
    dailyPayments: z.array(z.object({ date: z.string(), amount: z.number() })),
  }),
  /** Payments of the timeframe that were not voided: 7 weekdays from Sunday on, each with 24 local hours. */
  hours: z.array(z.array(z.number())),
});
export type AnalyticsComparison = z.infer<typeof AnalyticsComparison>;

export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];
/** Where nothing is asked for. */
export const defaultTimeframe: Timeframe = 'month';

/** GET /api/analytics/payments?timeframe= */
export const TimeframeQuery = z.object({
  timeframe: z._default(z.enum(timeframes, 'Timeframe must be week, month or year.'), defaultTimeframe),
});
