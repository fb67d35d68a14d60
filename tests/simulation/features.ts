/** All features in table order. Features of a day apply to every invoice of the run. */
export const FEATURES = [
  ...['paid online', 'paid at the desk', 'installments opened', 'installment paid', 'installments closed'],
  ...['void', 'void by hand', 'refund', 'refund in part', 'refund by hand', 'refund in part by hand', 'refund voided'],
  ...['late charge', 'reopening', 'second person', 'recorded in the CRM', 'record without an answer'],
  ...['bank debit', 'debit returned', 'settled debit returned', 'debit cancelled', 'debit vanished', 'debit on hold'],
  ...['zone change', 'midnight', 'Feb 29', 'an hour is left out', 'an hour comes twice'],
  ...['restore', 'terminal closed', 'terminal replaced', 'CRM edit', 'CRM merge', 'CRM delete', 'CRM number change'],
] as const;
export type FeatureName = (typeof FEATURES)[number];

/** A run has at most one unusual day, so these features never occur together. */
const DAYS = ['midnight', 'Feb 29', 'an hour is left out', 'an hour comes twice'];
export const areExclusive = (a: string, b: string): boolean => DAYS.includes(a) && DAYS.includes(b);
