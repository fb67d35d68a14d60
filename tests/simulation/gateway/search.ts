import type { WireAnswer } from '../vendor.ts';
import type { Books, Entry } from './books.ts';
import type { GatewayCall } from './calls.ts';
import type { Fault } from './faults.ts';
import type { Index } from './truth.ts';
import { debitWire, detailWire, failure, nothing, success, transactionWire, type Wire } from './wire.ts';

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

/**
 * G24, G32-G37: the look-ups of card transactions and of bank debits. Each reads the indexes that its filters need, as
 * they stand at this moment; a second look-up is another moment.
 */
export function answerSearch(books: Books, call: GatewayCall, fault: Fault | null): WireAnswer {
  const wanted = new Map([...call.query].map(([name, value]) => [name, value.trim()]));
  const range = { from: timeOf(wanted.get('start-date')), to: timeOf(wanted.get('end-date')) };
  if (range.from === 'bad' || range.to === 'bad') {
    const refusal = { status: 400, code: '041', message: 'The date is not valid' };
    return failure(books.nextExchange(), books.world.now(), refusal);
  }

  const isDebits = call.call === 'ach-find';
  const isFiltered = fault !== 'filter-ignored';
  const now = books.world.now();
  const at = fault === 'stale' ? now - books.draw([5 * MINUTE, 60 * MINUTE]) : now;
  const rows: Entry[] = [];
  for (const entry of books.entries) {
    if ((entry.method === 'ach') !== isDebits || entry.merchantId !== call.merchant.merchantId) continue;
    if (wanted.get('level') !== 'merchant' && entry.terminalId !== call.terminal.terminalId) continue;
    if (entry.type === 'VOID' && !books.knobs.voidsAreListed) continue;
    const seen = books.seenBy(entry, indexesOf(wanted), at);
    if (!seen || seen.isUnlisted || seen.at < now - 90 * DAY) continue;
    if (typeof range.from === 'number' && seen.at < range.from) continue;
    if (typeof range.to === 'number' && seen.at > range.to) continue;
    if (isFiltered && !passes(seen, wanted)) continue;
    rows.push(seen);
  }
  if (wanted.get('isDescending') !== 'false') rows.reverse();
  return answerPage(books, rows, wanted, isDebits);
}

/** Which indexes a look-up goes through: each one that it names, or the one by time. */
function indexesOf(wanted: Map<string, string>): Index[] {
  const named: Index[] = [];
  if (wanted.has('id')) named.push('id');
  if (wanted.has('order-id')) named.push('order');
  if (wanted.has('invoice')) named.push('invoice');
  return named.length > 0 ? named : ['time'];
}

function passes(entry: Entry, wanted: Map<string, string>): boolean {
  const is = (name: string, value: string | null) => !wanted.has(name) || wanted.get(name) === value;
  return (
    is('id', entry.id) &&
    is('order-id', entry.orderId) &&
    is('invoice', entry.invoice) &&
    is('type', entry.type) &&
    is('amount', (entry.amountCents / 100).toFixed(2)) &&
    is('last-four', entry.lastFour) &&
    is('authorization-code', entry.authorizationCode) &&
    is('status', entry.isApproved ? 'APPROVED' : 'DECLINED')
  );
}

/** UTC ms of `yyyy-MM-dd HH:mm`, with a zone or without; null where none is given. */
export function timeOf(text: string | undefined): number | null | 'bad' {
  if (!text) return null;
  const parts = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})(?::\d{2})?)?(?: (?:UTC|GMT|Z))?$/.exec(text);
  const at = parts ? Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'bad' : at;
}

function answerPage(books: Books, rows: Entry[], wanted: Map<string, string>, isDebits: boolean): WireAnswer {
  const { shown, page } = pageOf(rows, wanted);
  const [only] = shown;
  if (!only) return nothing();
  if (wanted.has('id') && shown.length === 1 && !isDebits) {
    return success(books.nextExchange(), { payloadType: 'transaction', transaction: detailWire(only) });
  }
  const payload: Wire = isDebits
    ? { payloadType: 'ach-transactions', 'ach-transactions': { 'ach-transaction': shown.map(debitWire) } }
    : {
        payloadType: 'transactions',
        transactions: { transaction: shown.map((entry) => transactionWire(entry, books.knobs.flags)) },
      };
  return success(books.nextExchange(), payload, { page });
}

/** G34: a page of rows, from 1, and what is said of it. */
export function pageOf<Row>(rows: Row[], wanted: Map<string, string>): { shown: Row[]; page: Wire } {
  const size = wholeNumber(wanted.get('page-size') ?? wanted.get('pageSize'), 50);
  const number = wholeNumber(wanted.get('page'), 1);
  const shown = rows.slice((number - 1) * size, number * size);
  const pages = Math.ceil(rows.length / size);
  const page: Wire = {
    number: String(number),
    size: String(size),
    'number-of-elements': String(shown.length),
    'total-elements': String(rows.length),
    'total-pages': String(pages),
    first: number === 1,
    last: number >= pages,
  };
  return { shown, page };
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}
