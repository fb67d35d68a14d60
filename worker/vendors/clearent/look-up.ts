import type { PaymentMethod } from '#shared/contracts/payment';
import type { GatewayTransaction, SearchKey, TerminalRef } from '../gateway-port.ts';
import type { ClearentCall } from './http.ts';
import { minuteOf, transactionFrom } from './transaction.ts';
import { isLastPage, transactionsOf } from './wire.ts';

const PAGE_SIZE = 100;
type Page = { transactions: GatewayTransaction[]; isLast: boolean };

/** Searches transactions. The vendor documents two names for the page size, so we send both. */
async function searchTransactions(
  call: ClearentCall,
  terminal: TerminalRef,
  method: PaymentMethod,
  criteria: Record<string, string>,
): Promise<Page | 'unavailable'> {
  const size = String(PAGE_SIZE);
  const query = new URLSearchParams({ page: '1', 'page-size': size, pageSize: size, ...criteria });
  const path = method === 'ach' ? '/rest/v2/ach/transactions' : '/rest/v2/transactions';
  const reply = await call(terminal, `${path}?${query}`);
  if (reply.kind !== 'answer') return 'unavailable';
  if (reply.status === 204) return { transactions: [], isLast: true };
  const records = reply.status === 200 ? transactionsOf(reply.envelope) : null;
  if (!records) return 'unavailable';
  return {
    transactions: records.map((txn) => transactionFrom(txn, method)),
    isLast: isLastPage(reply.envelope, records.length, PAGE_SIZE),
  };
}

export async function findTransactions(
  call: ClearentCall,
  terminal: TerminalRef,
  method: PaymentMethod,
  searchKey: SearchKey,
): Promise<GatewayTransaction[] | 'unavailable'> {
  const criteria: Record<string, string> =
    'attemptId' in searchKey
      ? { 'order-id': searchKey.attemptId }
      : 'dedupeKey' in searchKey
        ? { invoice: searchKey.dedupeKey }
        : { id: searchKey.providerTxnId };
  const page = await searchTransactions(call, terminal, method, { level: 'merchant', ...criteria });
  return page === 'unavailable' ? page : page.transactions;
}

/** Oldest first, so that new payments do not shift the pages. */
const OLDEST_FIRST = { isDescending: 'false' };

export const listTransactions = (
  call: ClearentCall,
  terminal: TerminalRef,
  method: PaymentMethod,
  { from, to }: { from: number; to: number },
  page: number,
): Promise<Page | 'unavailable'> =>
  searchTransactions(call, terminal, method, {
    level: 'merchant',
    'start-date': minuteOf(from),
    'end-date': minuteOf(to),
    page: String(page),
    ...OLDEST_FIRST,
  });

const DAY_MS = 86_400_000;
/** The maximum number of pages; a larger batch is reported as unavailable. */
const MAX_PAGES = 40;

/**
 * The gateway has no call for a batch's transactions, so this reads all transactions of the terminal from the opening
 * of the batch to its settlement, plus one day on each side, because the gateway's times have no zone.
 */
export async function batchTransactions(
  call: ClearentCall,
  terminal: TerminalRef,
  batch: { id: string; openedAt: number | null; settledAt: number | null },
): Promise<GatewayTransaction[] | 'unavailable'> {
  const transactions: GatewayTransaction[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const result = await searchTransactions(call, terminal, 'card', {
      ...(batch.openedAt === null ? {} : { 'start-date': minuteOf(batch.openedAt - DAY_MS) }),
      ...(batch.settledAt === null ? {} : { 'end-date': minuteOf(batch.settledAt + DAY_MS) }),
      page: String(page),
      ...OLDEST_FIRST,
    });
    if (result === 'unavailable') return result;
    transactions.push(...result.transactions.filter(({ batchId }) => batchId === batch.id));
    if (result.isLast) return transactions;
  }
  return 'unavailable';
}
