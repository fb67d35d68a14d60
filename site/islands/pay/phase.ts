import type { PayField } from '#shared/contracts/payment';
import type { PaidTransaction, PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { PayPageWords } from '#shared/words/pay-words';
import { readFailure } from './reply.ts';
import { type Failure, reasonIn } from './words.ts';

/** The state that determines the content beside the bill. */
export type Phase =
  | { kind: 'form' }
  /** `isReceived` is false while it is unknown whether the payment has reached us. */
  | {
      kind: 'confirming';
      since: string | null;
      until?: string | undefined;
      isReceived: boolean;
      /** The key of this page's attempt. It is missing if the page was opened during a confirmation. */
      attemptKey?: string | null;
    }
  | { kind: 'approved'; transaction: PaidTransaction; receiptUrl: string | null }
  /** `transaction` is null if this browser may not see it. */
  | { kind: 'submitted' | 'already-paid'; transaction: PaidTransaction | null; receiptUrl: string | null };

/** A field that is missing, or `onFile` if the address on file was not confirmed. */
export type MissingField = PayField | 'onFile';

/** The banner above the form. */
export type Problem =
  | { kind: 'missing'; fields: MissingField[] }
  /**
   * An attempt with an unknown outcome that was not charged after all. `isNews` is true if this became known while the
   * page was open.
   */
  | { kind: 'not-charged'; at: string; isNews: boolean }
  | {
      kind: 'refused';
      message: string;
      wasNotCharged: boolean;
      failure: Failure | null;
      next: 'card' | 'reload' | null;
      address: AddressRequest;
    };

type RefusedProblem = Extract<Problem, { kind: 'refused' }>;

/** Creates a refusal. By default, nothing was charged and the provider gave no reason. */
export const createRefusal = (message: string, details: Partial<RefusedProblem> = {}): Problem => ({
  kind: 'refused',
  message,
  wasNotCharged: true,
  failure: null,
  next: null,
  address: null,
  ...details,
});

/** The reason why the payer must enter an address although one is on file. */
export type AddressRequest = 'declined' | 'incomplete' | null;

/** Returns the phase for the state of the latest payment, or null if the form should be shown. */
export function phaseOf(status: PaymentStatus): Phase | null {
  const receiptUrl = status.receiptUrl ?? null;
  switch (status.state) {
    case 'paid':
      return status.transaction
        ? { kind: 'approved', transaction: status.transaction, receiptUrl }
        : { kind: 'already-paid', transaction: null, receiptUrl };
    case 'submitted':
      return { kind: 'submitted', transaction: status.transaction ?? null, receiptUrl };
    case 'pending':
      return { kind: 'confirming', since: status.since ?? null, until: status.until, isReceived: true };
    case 'none':
    case 'declined':
    case 'desk':
      return null;
  }
}

/** Returns the problem if the payment was declined during the wait, or turned out not to be charged. */
export function problemOf(status: PaymentStatus, words: PayPageWords): Problem | null {
  if (status.notCharged && status.since) return { kind: 'not-charged', at: status.since, isNews: true };
  if (status.state !== 'declined') return null;
  const failure = readFailure(status.error);
  const message = failure ? reasonIn(words, failure) : words.outcome.tryAgain;
  return createRefusal(message, { failure, next: 'card', address: 'declined' });
}
