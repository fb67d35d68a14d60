import type { WireAnswer } from '../vendor.ts';
import { answerCharge } from './charge-answers.ts';
import type { Books, Entry } from './gateway-records.ts';
import { failure } from './wire.ts';

/** A requested payment or refund with the fields that the duplicate check compares. */
export type ChargeRequest = {
  type: 'SALE' | 'DEBIT' | 'REFUND';
  merchantId: string;
  terminalId: string;
  method: Entry['method'];
  cents: number;
  orderId: string | null;
  invoice: string | null;
  lastFour: string;
  billing: Record<string, string> | null;
  holder: string | null;
  /** Scope of the requested duplicate check: none, the terminal, or all terminals of the merchant. */
  dedupe: 'no' | 'terminal' | 'merchant';
};

/**
 * G12, G13: the recorded charge that this call repeats. A charge that has only arrived does not count: if the check is
 * made on arrival, two calls in flight do not see each other.
 */
export function findRepeated(books: Books, request: ChargeRequest): Entry | null {
  const { knobs, world } = books;
  if (request.dedupe === 'no' || request.invoice === null) return null;
  const isSame = (entry: Entry) =>
    entry.type === request.type &&
    entry.isApproved &&
    entry.invoice === request.invoice &&
    entry.merchantId === request.merchantId &&
    (request.dedupe === 'merchant' || entry.terminalId === request.terminalId) &&
    (!knobs.dedupeCompares.amount || entry.amountCents === request.cents) &&
    (!knobs.dedupeCompares.card || entry.lastFour === request.lastFour) &&
    (knobs.dedupeCounts.voided || !entry.isVoided) &&
    (knobs.dedupeCounts.returned || (entry.ach !== 'Returned' && entry.ach !== 'Cancelled')) &&
    (knobs.dedupeCounts.refunded || entry.refundedCents < entry.amountCents) &&
    entry.at + knobs.dedupeLagMs <= world.now();
  return books.entries.find(isSame) ?? null;
}

/** G14: the original charge as if it were new and unmarked, or an error that names no transaction. */
export function answerRepeated(
  books: Books,
  request: Pick<ChargeRequest, 'orderId' | 'invoice'>,
  original: Entry,
): WireAnswer {
  const at = books.world.now();
  books.replays.push({ at, orderId: request.orderId, invoice: request.invoice, chargeId: original.id });
  if (books.knobs.dedupeAnswer === 'error') return duplicateError(books);
  return answerCharge(books, original);
}

/** G12: scope of the duplicate check that a request body asks for. */
export function scopeOf(body: Record<string, unknown>): ChargeRequest['dedupe'] {
  if (body['check-field'] !== 'invoice') return 'no';
  return body['check-field-mid'] === true || body['check-field-mid'] === 'true' ? 'merchant' : 'terminal';
}

export function duplicateError(books: Books): WireAnswer {
  const refusal = { status: 402, code: '032', message: 'Duplicate Transaction' };
  return failure(books.nextExchange(), books.world.now(), refusal);
}
