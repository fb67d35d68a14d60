import type { PaidTransaction, PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { PayPageWords } from '#shared/words/pay-words';
import { type Failure, reasonIn, refusalIn } from './words.ts';

/** The outcome of a pay call, as far as the page may believe it. Only `refused` says that no money moved. */
export type PayOutcome =
  | { kind: 'approved'; transaction: PaidTransaction; receiptUrl: string | null }
  | { kind: 'submitted'; receiptUrl: string | null }
  | { kind: 'pending' }
  | { kind: 'refused'; message: string; code: string; failure: Failure | null; fields: string[] }
  /** Not a reply of ours, or one that leaves the outcome open: ask for the state before the form opens again. */
  | { kind: 'unexpected'; message: string; failure: Failure | null }
  | { kind: 'unreachable' };

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' && value.trim() ? value : null);

/** Reads a reply of takePaymentSDK and trusts none of it. `body` is undefined when it was not JSON. */
export function readReply(httpStatus: number, body: unknown, words: PayPageWords): PayOutcome {
  const { unexpected, onServer, tryAgain } = words.outcome;
  if (!isRecord(body)) return { kind: 'unexpected', message: unexpected, failure: null };
  const payload = isRecord(body.payload) ? body.payload : {};
  const error = isRecord(body.error) ? body.error : {};
  const errorText = text(body.error) ?? text(error.message);
  const failure = readFailure(payload.error);
  const isError = failure !== null || payload.payloadType === 'error';
  const receiptUrl = text(body.receiptUrl);

  if (httpStatus === 200 && body.status === 'success' && !isError) {
    const transaction = readTransaction(payload.transaction);
    if (transaction) return { kind: 'approved', transaction, receiptUrl };
  }
  if (body.status === 'pending' && !isError)
    return payload.transaction ? { kind: 'submitted', receiptUrl } : { kind: 'pending' };
  if (httpStatus === 402 || body.status === 'fail') {
    const fields = Array.isArray(error.fields)
      ? error.fields.filter((name): name is string => typeof name === 'string')
      : [];
    const code = text(error.code) ?? '';
    const message = failure
      ? reasonIn(words, failure)
      : refusalIn(words, { code, message: errorText ?? tryAgain, fields });
    // The payment could not even be looked at: the answer promises nothing of the money.
    if (code === 'internal') return { kind: 'unexpected', message, failure };
    return { kind: 'refused', message, code, failure, fields };
  }
  // Whether this was a refusal is open, so of an unknown code the provider's own words stand.
  if (failure) return { kind: 'unexpected', message: reasonIn(words, failure, failure.message), failure };
  // The code of such an answer says nothing of the money, so another language has one sentence for them all.
  const said = words.answers ? onServer : (errorText ?? onServer);
  return { kind: 'unexpected', message: httpStatus >= 400 ? said : unexpected, failure };
}

const states = ['none', 'pending', 'submitted', 'paid', 'declined', 'desk'] as const;

/** A reply about the latest payment; null when it is not one of ours. */
export function readStatus(body: unknown): PaymentStatus | null {
  if (!isRecord(body)) return null;
  const state = states.find((name) => name === body.state);
  if (!state) return null;
  const transaction = readTransaction(body.transaction);
  const failure = readFailure(body.error);
  const since = text(body.since);
  const until = text(body.until);
  const receiptUrl = text(body.receiptUrl);
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

/** An error may be a bare text. */
export function readFailure(value: unknown): Failure | null {
  if (!isRecord(value)) return text(value) ? { message: String(value), resultCode: '' } : null;
  const message = text(value['error-message']);
  return message ? { message, resultCode: String(value['result-code'] ?? '') } : null;
}

function readTransaction(value: unknown): PaidTransaction | null {
  if (!isRecord(value) || !text(value.id)) return null;
  const field = (name: string) => text(value[name]) ?? '';
  return {
    id: field('id'),
    amount: field('amount'),
    card: field('card'),
    'authorization-code': field('authorization-code'),
    result: field('result'),
  };
}
