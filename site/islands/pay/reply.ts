import type { PaidTransaction, PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { PayPageWords } from '#shared/words/pay-words';
import { type Failure, reasonIn, refusalIn } from './words.ts';

/** The outcome of a payment according to the reply. Only `refused` guarantees that no money has moved. */
export type PayOutcome =
  | { kind: 'approved'; transaction: PaidTransaction; receiptUrl: string | null }
  | { kind: 'submitted'; transaction: PaidTransaction | null; receiptUrl: string | null }
  /** `isOwn` is true if the attempt belongs to this request, so that this page may show its receipt. */
  | { kind: 'pending'; isOwn?: true }
  | { kind: 'refused'; message: string; code: string; failure: Failure | null; fields: string[] }
  /** The reply is invalid or leaves the outcome open, so the status must be checked before the form reopens. */
  | { kind: 'unexpected'; message: string; failure: Failure | null }
  | { kind: 'unreachable' };

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOrNull = (value: unknown) => (typeof value === 'string' && value.trim() ? value : null);

/** Validates the reply to a payment. `body` is undefined if it was not JSON. */
export function readReply(httpStatus: number, body: unknown, words: PayPageWords): PayOutcome {
  const { unexpected, onServer, tryAgain } = words.outcome;
  if (!isRecord(body)) return { kind: 'unexpected', message: unexpected, failure: null };
  const payload = isRecord(body.payload) ? body.payload : {};
  const error = isRecord(body.error) ? body.error : {};
  const errorText = textOrNull(body.error) ?? textOrNull(error.message);
  const failure = readFailure(payload.error);
  const isError = failure !== null || payload.payloadType === 'error';
  const receiptUrl = textOrNull(body.receiptUrl);
  const transaction = readTransaction(payload.transaction);

  if (httpStatus === 200 && body.status === 'success' && !isError && transaction)
    return { kind: 'approved', transaction, receiptUrl };
  if (body.status === 'pending' && !isError)
    return payload.transaction
      ? { kind: 'submitted', transaction, receiptUrl }
      : { kind: 'pending', ...(receiptUrl && { isOwn: true }) };
  if (httpStatus === 402 || body.status === 'fail') {
    const fields = Array.isArray(error.fields)
      ? error.fields.filter((name): name is string => typeof name === 'string')
      : [];
    const code = textOrNull(error.code) ?? '';
    const message = failure
      ? reasonIn(words, failure)
      : refusalIn(words, { code, message: errorText ?? tryAgain, fields });
    // The server could not check the payment, so this reply does not show whether money has moved.
    if (code === 'internal') return { kind: 'unexpected', message, failure };
    return { kind: 'refused', message, code, failure, fields };
  }
  // This may not be a refusal, so for an unknown code, the provider's own message is shown.
  if (failure) return { kind: 'unexpected', message: reasonIn(words, failure, failure.message), failure };
  // These errors do not show whether money has moved. Languages other than English have one sentence for all of them.
  const serverMessage = words.answers ? onServer : (errorText ?? onServer);
  return { kind: 'unexpected', message: httpStatus >= 400 ? serverMessage : unexpected, failure };
}

const states = ['none', 'pending', 'submitted', 'paid', 'declined', 'desk'] as const;

/** Reads a reply about the latest payment. Null if it is invalid. */
export function readStatus(body: unknown): PaymentStatus | null {
  if (!isRecord(body)) return null;
  const state = states.find((name) => name === body.state);
  if (!state) return null;
  const transaction = readTransaction(body.transaction);
  const failure = readFailure(body.error);
  const since = textOrNull(body.since);
  const until = textOrNull(body.until);
  const receiptUrl = textOrNull(body.receiptUrl);
  return {
    state,
    ...(since && { since }),
    ...(until && { until }),
    ...(body.notCharged === true && { notCharged: true }),
    ...(transaction && { transaction }),
    ...(failure && { error: { 'error-message': failure.message, 'result-code': failure.resultCode } }),
    ...(receiptUrl && { receiptUrl }),
  };
}

/** Reads a provider's error, which may be a plain string. */
export function readFailure(value: unknown): Failure | null {
  if (!isRecord(value)) return textOrNull(value) ? { message: String(value), resultCode: '' } : null;
  const message = textOrNull(value['error-message']);
  return message ? { message, resultCode: String(value['result-code'] ?? '') } : null;
}

function readTransaction(value: unknown): PaidTransaction | null {
  if (!isRecord(value) || !textOrNull(value.id)) return null;
  const field = (name: string) => textOrNull(value[name]) ?? '';
  return {
    id: field('id'),
    amount: field('amount'),
    card: field('card'),
    'authorization-code': field('authorization-code'),
    result: field('result'),
    date: field('date'),
  };
}
