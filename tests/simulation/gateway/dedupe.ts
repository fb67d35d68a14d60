import type { WireAnswer } from '../vendor.ts';
import type { Books, Entry } from './books.ts';
import { answerCharge } from './charge-answers.ts';
import { failure } from './wire.ts';

/** Details of a requested payment or refund that the duplicate check compares. */
export type Asked = {
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
export function repeated(books: Books, asked: Asked): Entry | null {
  const { knobs, world } = books;
  if (asked.dedupe === 'no' || asked.invoice === null) return null;
  const isSame = (entry: Entry) =>
    entry.type === asked.type &&
    entry.isApproved &&
    entry.invoice === asked.invoice &&
    entry.merchantId === asked.merchantId &&
    (asked.dedupe === 'merchant' || entry.terminalId === asked.terminalId) &&
    (!knobs.dedupeCompares.amount || entry.amountCents === asked.cents) &&
    (!knobs.dedupeCompares.card || entry.lastFour === asked.lastFour) &&
    (knobs.dedupeCounts.voided || !entry.isVoided) &&
    (knobs.dedupeCounts.returned || (entry.ach !== 'Returned' && entry.ach !== 'Cancelled')) &&
    (knobs.dedupeCounts.refunded || entry.refundedCents < entry.amountCents) &&
    entry.at + knobs.dedupeLagMs <= world.now();
  return books.entries.find(isSame) ?? null;
}

/** G14: the original charge as if it were new and without a mark, or an error that names no transaction. */
export function answerRepeated(books: Books, asked: Pick<Asked, 'orderId' | 'invoice'>, original: Entry): WireAnswer {
  const at = books.world.now();
  books.replays.push({ at, orderId: asked.orderId, invoice: asked.invoice, chargeId: original.id });
  if (books.knobs.dedupeAnswer === 'error') return duplicateError(books);
  return answerCharge(books, original);
}

/** G12: scope of the duplicate check that a request body asks for. */
export function scopeOf(body: Record<string, unknown>): Asked['dedupe'] {
  if (body['check-field'] !== 'invoice') return 'no';
  return body['check-field-mid'] === true || body['check-field-mid'] === 'true' ? 'merchant' : 'terminal';
}

export function duplicateError(books: Books): WireAnswer {
  const refusal = { status: 402, code: '032', message: 'Duplicate Transaction' };
  return failure(books.nextExchange(), books.world.now(), refusal);
}
