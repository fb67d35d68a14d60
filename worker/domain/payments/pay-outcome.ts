import type { PayField } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payments/payment-answers';
import { decimalFromCents } from '#shared/money';
import { localDay } from '#shared/text/local-day';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { receiptMailId } from '#worker/data/mail/outbox';
import { refuseForm, type SubmittedForm } from '#worker/data/payments/refused-tokens';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { cardText } from '#worker/domain/mail/receipt';
import { sendMail } from '#worker/domain/mail/send';
import { causeOf } from '#worker/log';
import { type AttemptAnswer, answerFor, refreshAttempt } from './attempts.ts';
import { inquirePaymentStatus } from './inquire-status.ts';
import type { PriceRefusal } from './price.ts';
import type { VelocityRefusal } from './velocity-limits.ts';

/**
 * Every outcome of a submitted payment. Money may move only with `approved`, `submitted`, `pending`, and `not-started`
 * with `isOpen`.
 */
export type PayOutcome =
  | AttemptAnswer
  | PriceRefusal
  | VelocityRefusal
  | { kind: 'refused' | 'bad-signature'; message: string }
  /** The address on file is incomplete, so the payer has to enter one. */
  | { kind: 'address-missing'; fields: PayField[] }
  | { kind: 'not-found' | 'link-ended' | 'paused' | 'closing' | 'gateway-unavailable' }
  /** `isOpen`: the same form may have been submitted twice, and its second request may still be charged. */
  | { kind: 'not-started'; isOpen?: true };

/** An answer with an attempt concerns the form's own payment, which has already used the card token. */
type OwnAnswer = Extract<PayOutcome, { attempt: unknown }>;

const isOwn = (outcome: PayOutcome): outcome is OwnAnswer => 'attempt' in outcome;

/**
 * The answer to a payer whose payment was not attempted. The same form may have been submitted twice, so its card token
 * and key are refused for the other request before the payer reads that nothing was charged. If the other request was
 * faster, its payment is the answer. If the refusal cannot be saved, the payer is not told that nothing was charged.
 */
export async function refuseRepeatedForm(deps: Deps, form: SubmittedForm, outcome: PayOutcome): Promise<PayOutcome> {
  if (isOwn(outcome)) return outcome;
  try {
    const fasterAttempt = await refuseForm(deps.db, form, deps.now());
    return fasterAttempt && outcome.kind !== 'pending' ? await answerOf(deps, fasterAttempt) : outcome;
  } catch (cause) {
    // A clinic that no longer exists has no later payment.
    if (isNoSuchClinic(cause)) return outcome;
    deps.log.info('form-not-refused', { clinic: deps.clinic, cause: causeOf(cause) });
    return outcome.kind === 'not-started' ? { kind: outcome.kind, isOpen: true } : { kind: 'pending' };
  }
}

const answerOf = async (deps: Deps, attempt: Parameters<typeof answerFor>[0]): Promise<AttemptAnswer> =>
  answerFor(await refreshAttempt(deps, attempt), true);

/** A payment in the format of the pay call's response. */
export const paidTransaction = (attempt: Attempt): PaidTransaction => ({
  id: attempt.providerTxnId ?? '',
  amount: decimalFromCents(attempt.amountCents),
  card: cardText(attempt),
  'authorization-code': attempt.authCode,
  result: attempt.result,
  date: localDay(attempt.settledAt ?? attempt.createdAt, attempt.timeZone),
});

export const providerError = (attempt: Attempt) => ({
  'error-message': attempt.message || 'Your card was declined.',
  'result-code': attempt.providerCode,
});

/** Inquires about the outcome of an attempt, and sends its receipt at once if it was paid. */
export async function settleAndMail(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const updatedAttempt = await inquirePaymentStatus(deps, attempt);
  if (updatedAttempt.state === 'approved') await sendMail(deps, receiptMailId(updatedAttempt.id));
  return updatedAttempt;
}
