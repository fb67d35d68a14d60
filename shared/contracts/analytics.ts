/** GET /api/analytics/payments?timeframe= ; `month` where nothing is asked for. */
export const timeframes = ['week', 'month', 'year'] as const;
export type Timeframe = (typeof timeframes)[number];

export type PaymentAnalytics = {
  /** Every local day of the timeframe, oldest first; dollars taken in less what was given back that day, 0 on a quiet day. */
  dailyPayments: { date: string; amount: number }[];
  /** Approved payments by how they were paid. */
  paymentMethods: Record<string, number>;
  /** Attempts to pay by how they ended. */
  transactionStatus: Record<string, number>;
};
