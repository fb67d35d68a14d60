import type { WireAnswer } from '../vendor.ts';
import type { Books, Entry } from './books.ts';
import { answerCharge } from './charge-answers.ts';
import { failure } from './wire.ts';

/** What a call says of the money that it asks for. */
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
  /** The call asked to be held against earlier ones: at its terminal, or at all terminals of the merchant. */
  dedupe: 'no' | 'terminal' | 'merchant';
};

/**
 * G12, G13: the earlier charge that this call repeats, as far as it is recorded by now. A charge that has only arrived
 * is none: two calls in flight know nothing of each other where the comparison is made on arrival.
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

/** G14: the original, as if it had been made now, with no mark of it; or a refusal that names no transaction. */
export function answerRepeated(books: Books, asked: Pick<Asked, 'orderId' | 'invoice'>, original: Entry): WireAnswer {
  const at = books.world.now();
  books.replays.push({ at, orderId: asked.orderId, invoice: asked.invoice, chargeId: original.id });
  if (books.knobs.dedupeAnswer === 'error') return duplicateError(books);
  return answerCharge(books, original);
}

/** G12: what a body asks to be held against. */
export function scopeOf(body: Record<string, unknown>): Asked['dedupe'] {
  if (body['check-field'] !== 'invoice') return 'no';
  return body['check-field-mid'] === true || body['check-field-mid'] === 'true' ? 'merchant' : 'terminal';
}

export function duplicateError(books: Books): WireAnswer {
  const refusal = { status: 402, code: '032', message: 'Duplicate Transaction' };
  return failure(books.nextExchange(), books.world.now(), refusal);
}
