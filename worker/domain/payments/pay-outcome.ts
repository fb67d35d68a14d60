import type { PayField } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payments/payment-answers';
import { decimalFromCents } from '#shared/money';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { receiptMailId } from '#worker/data/mail/outbox';
import { refuseForm, type SentForm } from '#worker/data/payments/refused-tokens';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { cardText } from '#worker/domain/mail/receipt';
import { sendMail } from '#worker/domain/mail/send';
import { causeOf } from '#worker/log';
import { type AttemptAnswer, answerFor, upToDate } from './attempts.ts';
import { inquirePaymentStatus } from './inquire-status.ts';
import type { NotPriced } from './price.ts';
import type { TooMany } from './velocity-limits.ts';

/**
 * Every outcome of a submitted payment. Only `approved`, `submitted`, `pending` and `not-started` that is open may mean
 * that money moves.
 */
export type PayOutcome =
  | AttemptAnswer
  | NotPriced
  | TooMany
  | { kind: 'refused' | 'bad-signature'; message: string }
  /** The address on file is not (or no longer) complete: the payer has to give one. */
  | { kind: 'address-missing'; fields: PayField[] }
  | { kind: 'not-found' | 'link-ended' | 'paused' | 'gateway-unavailable' }
  /** `isOpen`: the same form may be on its way a second time, and nothing could keep that one from being charged. */
  | { kind: 'not-started'; isOpen?: true };

/** An answer that carries its attempt speaks of the form's own payment, which holds its card token already. */
type OwnAnswer = Extract<PayOutcome, { attempt: unknown }>;

const isOwn = (outcome: PayOutcome): outcome is OwnAnswer => 'attempt' in outcome;

/**
 * The answer to a payer whose payment was not tried. The same form may be on its way twice: before they read that
 * nothing was charged, its card token and its key are refused for the other request too. If that one was faster, its
 * payment answers. Without the write nothing may be promised.
 */
export async function endToken(deps: Deps, form: SentForm, outcome: PayOutcome): Promise<PayOutcome> {
  if (isOwn(outcome)) return outcome;
  try {
    const faster = await refuseForm(deps.db, form, deps.now());
    return faster && outcome.kind !== 'pending' ? await answerOf(deps, faster) : outcome;
  } catch (cause) {
    // A clinic that is gone has no payment that could follow.
    if (isNoSuchClinic(cause)) return outcome;
    deps.log.info('form-not-refused', { clinic: deps.clinic, cause: causeOf(cause) });
    return outcome.kind === 'not-started' ? { kind: outcome.kind, isOpen: true } : { kind: 'pending' };
  }
}

const answerOf = async (deps: Deps, attempt: Parameters<typeof answerFor>[0]): Promise<AttemptAnswer> =>
  answerFor(await upToDate(deps, attempt), true);

/** A payment in the field names of the pay call's answer. */
export const paidTransaction = (attempt: Attempt): PaidTransaction => ({
  id: attempt.providerTxnId ?? '',
  amount: decimalFromCents(attempt.amountCents),
  card: cardText(attempt),
  'authorization-code': attempt.authCode,
  result: attempt.result,
});

export const providerError = (attempt: Attempt) => ({
  'error-message': attempt.message || 'Your card was declined.',
  'result-code': attempt.providerCode,
});

/** Ask for the outcome of an attempt, and send its receipt at once if it was paid. */
export async function settleAndMail(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const settled = await inquirePaymentStatus(deps, attempt);
  if (settled.state === 'approved') await sendMail(deps, receiptMailId(settled.id));
  return settled;
}
