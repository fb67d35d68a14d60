/** Statuses of the rows in the list of payments, with their words: of payments, then of refunds and returns. */
export const paymentStatusWords = {
  paid: 'Paid',
  submitted: 'Submitted',
  partly_refunded: 'Partly refunded',
  refunded: 'Refunded',
  voided: 'Voided',
  returned: 'Returned',
  refund: 'Refund',
  return: 'Return',
  correction: 'Corrected refund',
};
export type ListedPaymentStatus = keyof typeof paymentStatusWords;
export const listedPaymentStatuses = Object.keys(paymentStatusWords) as ListedPaymentStatus[];

/** The value of the filter `terminal` for payments without a card reader. */
export const ONLINE_PAYMENTS = 'online';

/** The days of a payment list, for its file name: "2026-10-01-to-2026-10-31", or one day. */
export const formatDaysForFileName = ({ from, to }: { from: string; to: string }): string =>
  from === to ? to : `${from}-to-${to}`;

/** The maximum number of days in one list of payments. */
export const maxPeriodDays = 366;
