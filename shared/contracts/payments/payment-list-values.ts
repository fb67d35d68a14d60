/** Statuses of the rows in the list of payments: those of a payment, then those of refunds and returns. */
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

/** The value of the filter `terminal` for payments without a card reader. */
export const ONLINE_PAYMENTS = 'online';

/** The days of a payment list, for its file name: "2026-10-01-to-2026-10-31", or one day. */
export const formatDaysForFileName = ({ from, to }: { from: string; to: string }): string =>
  from === to ? to : `${from}-to-${to}`;

/** The maximum number of days in one list of payments. */
export const maxPeriodDays = 366;
