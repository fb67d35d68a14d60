/** Statuses of the rows in the list of payments: those of a payment, then those of money that went back. */
export const listedPaymentStatuses = [
  'paid',
  'submitted',
  'partly_refunded',
  'refunded',
  'voided',
  'returned',
  'refund',
  'return',
  'correction',
] as const;
export type ListedPaymentStatus = (typeof listedPaymentStatuses)[number];

/** The maximum number of days in one list of payments. */
export const longestPeriod = 366;
