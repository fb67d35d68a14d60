import type { WireAnswer } from '../vendor.ts';
import type { GatewayCall } from './calls.ts';
import type { Fault } from './faults.ts';
import type { Books, Entry } from './gateway-records.ts';
import type { Index } from './truth.ts';
import { debitWire, detailWire, failure, noContent, success, transactionWire, type Wire } from './wire.ts';

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

/**
 * G24, G32-G37: the look-ups of card transactions and of bank debits. Each reads the indexes that its filters need in
 * their current state; a second look-up may see another state.
 */
export function answerSearch(books: Books, call: GatewayCall, fault: Fault | null): WireAnswer {
  const filters = new Map([...call.query].map(([name, value]) => [name, value.trim()]));
  const range = { from: timeOf(filters.get('start-date')), to: timeOf(filters.get('end-date')) };
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
    if (filters.get('level') !== 'merchant' && entry.terminalId !== call.terminal.terminalId) continue;
    if (entry.type === 'VOID' && !books.knobs.voidsAreListed) continue;
    const visible = books.seenBy(entry, indexesOf(filters), at);
    if (!visible || visible.isUnlisted || visible.at < now - 90 * DAY) continue;
    if (typeof range.from === 'number' && visible.at < range.from) continue;
    if (typeof range.to === 'number' && visible.at > range.to) continue;
    if (isFiltered && !matches(visible, filters)) continue;
    rows.push(visible);
  }
  if (filters.get('isDescending') !== 'false') rows.reverse();
  return answerPage(books, rows, filters, isDebits);
}

/** The indexes that a look-up uses: those of its filters, or else the one by time. */
function indexesOf(filters: Map<string, string>): Index[] {
  const indexes: Index[] = [];
  if (filters.has('id')) indexes.push('id');
  if (filters.has('order-id')) indexes.push('order');
  if (filters.has('invoice')) indexes.push('invoice');
  return indexes.length > 0 ? indexes : ['time'];
}

function matches(entry: Entry, filters: Map<string, string>): boolean {
  const fits = (name: string, value: string | null) => !filters.has(name) || filters.get(name) === value;
  return (
    fits('id', entry.id) &&
    fits('order-id', entry.orderId) &&
    fits('invoice', entry.invoice) &&
    fits('type', entry.type) &&
    fits('amount', (entry.amountCents / 100).toFixed(2)) &&
    fits('last-four', entry.lastFour) &&
    fits('authorization-code', entry.authorizationCode) &&
    fits('status', entry.isApproved ? 'APPROVED' : 'DECLINED')
  );
}

/** UTC ms of `yyyy-MM-dd HH:mm`, with or without a zone; null if absent, `bad` if unreadable. */
export function timeOf(text: string | undefined): number | null | 'bad' {
  if (!text) return null;
  const parts = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})(?::\d{2})?)?(?: (?:UTC|GMT|Z))?$/.exec(text);
  const at = parts ? Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'bad' : at;
}

function answerPage(books: Books, rows: Entry[], filters: Map<string, string>, isDebits: boolean): WireAnswer {
  const { pageRows, page } = pageOf(rows, filters);
  const [firstRow] = pageRows;
  if (!firstRow) return noContent();
  if (filters.has('id') && pageRows.length === 1 && !isDebits) {
    return success(books.nextExchange(), { payloadType: 'transaction', transaction: detailWire(firstRow) });
  }
  const payload: Wire = isDebits
    ? { payloadType: 'ach-transactions', 'ach-transactions': { 'ach-transaction': pageRows.map(debitWire) } }
    : {
        payloadType: 'transactions',
        transactions: { transaction: pageRows.map((entry) => transactionWire(entry, books.knobs.flags)) },
      };
  return success(books.nextExchange(), payload, { page });
}

/** G34: a page of rows, counted from 1, with its metadata. */
export function pageOf<Row>(rows: Row[], filters: Map<string, string>): { pageRows: Row[]; page: Wire } {
  const size = wholeNumber(filters.get('page-size') ?? filters.get('pageSize'), 50);
  const number = wholeNumber(filters.get('page'), 1);
  const pageRows = rows.slice((number - 1) * size, number * size);
  const pages = Math.ceil(rows.length / size);
  const page: Wire = {
    number: String(number),
    size: String(size),
    'number-of-elements': String(pageRows.length),
    'total-elements': String(rows.length),
    'total-pages': String(pages),
    first: number === 1,
    last: number >= pages,
  };
  return { pageRows, page };
}

function wholeNumber(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}
