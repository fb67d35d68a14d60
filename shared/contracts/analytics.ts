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
