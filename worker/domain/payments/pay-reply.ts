import type { PaidTransaction } from '#shared/contracts/payment-status';
import { decimalFromCents } from '#shared/money';
import type { Attempt } from '#worker/data/schema/schema';
import { cardText } from '#worker/domain/mail/card-text';

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
