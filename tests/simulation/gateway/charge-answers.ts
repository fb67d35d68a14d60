import type { WireAnswer } from '../vendor.ts';
import type { Books, Entry } from './gateway-records.ts';
import { debitWire, failure, success, transactionWire, type Wire } from './wire.ts';

/** The gateway's response for a recorded charge or reversal: approved, or declined with both parts (G6). */
export function answerCharge(books: Books, entry: Entry): WireAnswer {
  const exchange = books.nextExchange();
  const transaction = wireOf(books, entry);
  if (!entry.isApproved) {
    const refusal = { status: 402, code: entry.resultCode, message: entry.message };
    return failure(exchange, books.world.now(), refusal, transaction);
  }
  const links: Wire[] = [{ rel: 'transaction', href: `/rest/v2/transactions?id=${entry.id}`, id: entry.id }];
  if (entry.method !== 'ach' || books.knobs.debitMember === 'transaction') {
    return success(exchange, { payloadType: 'transaction', transaction }, { links });
  }
  // The reference documents a separate member with fewer fields.
  const reduced = { ...transaction, 'result-code': null, 'display-message': null, 'last-four': null };
  return success(exchange, { payloadType: 'ach-transaction', 'ach-transaction': reduced }, { links });
}

function wireOf(books: Books, entry: Entry): Wire {
  const voided = entry.type === 'VOID' && !books.knobs.voidsAreListed ? books.byId(entry.parentId ?? '') : undefined;
  // G19: if a void is not a separate transaction, the response shows the voided transaction.
  if (voided) return transactionWire(voided, 'json');
  if (entry.method === 'ach') return debitWire(entry);
  const full = transactionWire(entry, 'json');
  const isShort = entry.method === 'terminal' && entry.type === 'SALE' && books.knobs.terminalAnswer === 'guaranteed';
  if (!isShort) return full;
  // G18: no other fields are guaranteed for a sale on a reader.
  const { id, 'result-code': code, 'authorization-code': authorization, 'display-message': message } = full;
  return { id, 'result-code': code, 'authorization-code': authorization, 'display-message': message } as Wire;
}
