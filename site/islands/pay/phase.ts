import type { PayField } from '../../../shared/contracts/payment.ts';
import type { PaidTransaction, PaymentStatus } from '../../../shared/contracts/payment-status.ts';
import { type Failure, readFailure } from './reply.ts';

/** The content of the page's right-hand side. */
export type Phase =
  | { kind: 'form' }
  /** `sure` is false while it is not known whether the payment reached us. */
  | { kind: 'confirming'; since: string | null; until?: string | undefined; sure: boolean }
  | { kind: 'approved'; transaction: PaidTransaction; receiptUrl: string | null }
  | { kind: 'submitted'; receiptUrl: string | null }
  | { kind: 'already-paid'; receiptUrl: string | null };

/** The banner above the form. */
export type Problem =
  | { kind: 'missing'; fields: (PayField | 'onFile')[] }
  /** An attempt with an unknown outcome that was not charged after all; `isNews`: found out while the page waited. */
  | { kind: 'not-charged'; at: string; isNews: boolean }
  | {
      kind: 'refused';
      message: string;
      moneySafe: boolean;
      failure: Failure | null;
      next: 'card' | 'reload' | null;
      address: AskAddress;
    };

/** Why the payer has to give an address themselves, if they were to pay by the one on file. */
export type AskAddress = 'declined' | 'incomplete' | null;

export const ALREADY_PAID = 'This invoice is already paid. You have not been charged again.';
export const NOT_CHARGED = 'You have not been charged.';

/** The phase that the latest payment's state leads to; null: the form opens (again). */
export function phaseOf(status: PaymentStatus): Phase | null {
  const receiptUrl = status.receiptUrl ?? null;
  switch (status.state) {
    case 'paid':
      return status.transaction
        ? { kind: 'approved', transaction: status.transaction, receiptUrl }
        : { kind: 'already-paid', receiptUrl };
    case 'submitted':
      return { kind: 'submitted', receiptUrl };
    case 'pending':
      return { kind: 'confirming', since: status.since ?? null, until: status.until, sure: true };
    case 'none':
    case 'declined':
    case 'desk':
      return null;
  }
}

/** The banner for a payment that was declined, or not charged after all, while the page waited. */
export function problemOf(status: PaymentStatus): Problem | null {
  if (status.notCharged && status.since) return { kind: 'not-charged', at: status.since, isNews: true };
  if (status.state !== 'declined') return null;
  const failure = readFailure(status.error);
  const message = failure?.message ?? 'Payment failed. Please try again.';
  return { kind: 'refused', message, moneySafe: true, failure, next: 'card', address: 'declined' };
}
