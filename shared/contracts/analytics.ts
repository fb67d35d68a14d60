/** GET /api/analytics/payments?timeframe= ; `month` where nothing is asked for. */
export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];

export type PaymentAnalytics = {
  /**
   * Every local day of the timeframe, oldest first, 0 on a quiet one: dollars of its payments less those that were voided,
   * and less what was refunded or returned on that day.
   */
  dailyPayments: { date: string; amount: number }[];
  /** Approved payments that were not voided, by how they were paid. */
  paymentMethods: Record<string, number>;
  /** Attempts to pay by how they ended. */
  transactionStatus: Record<string, number>;
};
