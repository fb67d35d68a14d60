import type { Excuse } from './growth-excuses.ts';

/** The exceptions for statements of `worker/domain/`. */
export const domainExcuses: Excuse[] = [
  {
    file: 'worker/domain/batches/view-batches.ts',
    pattern: /from "payment_attempts"/,
    reason: 'Finds card reader payments without an outcome; the clinic has none.',
  },
  {
    file: 'worker/domain/merchants/boarding.ts',
    pattern: /from "merchants"/,
    reason: 'Looks up the merchant number of the test’s own merchant.',
  },
  { file: 'worker/domain/operate/dump.ts', pattern: /dump_tables/, reason: 'Reads a dump that is under way.' },
  {
    file: 'worker/domain/pay-page/apple-pay.ts',
    pattern: /update "accounts" set "apple_pay_next_at"/,
    reason: 'Finds accounts whose registration for Apple Pay is due; the drawn clinic takes only cards.',
  },
  {
    file: 'worker/domain/reconciliation/reconcile-accounts.ts',
    pattern: /reconciliation_cursors/,
    reason: 'Finds readings that are due.',
  },
  {
    file: 'worker/domain/reconciliation/view-reconciliation.ts',
    pattern: /frozen_balance_cents/,
    reason: 'Finds invoices with a disputed balance; the clinic has none.',
  },
  {
    file: 'worker/domain/refunds/approvals.ts',
    pattern: /update "approvals"/,
    reason: 'Updates an approved refund that has not been carried out, by its id.',
  },
  {
    file: 'worker/domain/refunds/inquire-reversal-status.ts',
    pattern: /from "reversals"/,
    reason: 'Finds due refunds without an outcome; the clinic has none.',
  },
  {
    file: 'worker/domain/today/view-today.ts',
    pattern: /frozen_balance_cents/,
    reason: 'Finds invoices with a disputed balance; the clinic has none.',
  },
];
