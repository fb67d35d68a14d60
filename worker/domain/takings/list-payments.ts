import type { ListRequest } from '#shared/contracts/lists/list-request';
import type { ListedPayment, PaymentListReply, PaymentSort } from '#shared/contracts/payments/payment-list';
import {
  formatDaysForFileName,
  maxPeriodDays,
  paymentStatusWords,
} from '#shared/contracts/payments/payment-list-values';
import { decimalFromCents } from '#shared/money';
import { cardName } from '#shared/text/card-name';
import { addDays, localDay, localTime } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { methodName } from '#shared/text/wallet-name';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  findPayments,
  type ListedEntry,
  type PaymentQuery,
  readPaymentPage,
  readPaymentsAfter,
} from '#worker/data/takings/payment-list';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';

/** Days of the list if the request names none, including today. */
const DEFAULT_DAYS = 30;
/** Rows of an export that are read at a time. */
const ROWS_PER_READ = 1000;

/** The query of a request, with missing ends of its period filled in. Null if the period is empty or too long. */
async function queryOf({ db, now }: Deps, accountId: number, request: ListRequest) {
  const timeZone = await findTimeZone(db, accountId);
  const [range] = request.ranges;
  const to = String(range?.to ?? localDay(now(), timeZone));
  const from = String(range?.from ?? addDays(to, 1 - DEFAULT_DAYS));
  if (from > to || addDays(from, maxPeriodDays - 1) < to) return null;
  const { q, statuses, terminal, isDescending } = request;
  const sort = request.sort as PaymentSort;
  const unfilteredQuery: PaymentQuery = {
    accountId,
    from,
    to,
    statuses,
    terminal,
    sort,
    isDescending,
    places: null,
    now: now(),
  };
  const query =
    q.trim() === '' ? unfilteredQuery : { ...unfilteredQuery, places: await findPayments(db, unfilteredQuery, q) };
  return { query, timeZone };
}

/**
 * The payments, refunds and returns of a clinic's local days, and bank payments on their way, with their totals. Null
 * if the period is too long.
 */
export async function listPayments(
  deps: Deps,
  accountId: number,
  request: ListRequest,
): Promise<{ reply: PaymentListReply; total: number } | null> {
  const parsed = await queryOf(deps, accountId, request);
  if (!parsed) return null;
  const { from, to } = parsed.query;
  const { entries, totals } = await readPaymentPage(deps.db, parsed.query, request);
  const { payments, paidCents, voided, refunds, corrections, refundedCents, onItsWay, returned, unknown } = totals;
  return {
    total: totals.rows,
    reply: {
      payments: entries.map(presentPayment),
      period: { from, to },
      totals: {
        payments: { count: payments, amount: decimalFromCents(paidCents) },
        voided,
        returned,
        refunds: { count: refunds, amount: decimalFromCents(refundedCents) },
        corrections,
        net: decimalFromCents(paidCents + refundedCents),
        on_its_way: { count: onItsWay.count, amount: decimalFromCents(onItsWay.cents) },
      },
      unknown: { count: unknown.count, amount: decimalFromCents(unknown.cents) },
    },
  };
}

const REFUNDABLE_STATUSES: readonly ListedEntry['status'][] = ['paid', 'partly_refunded'];

const presentPayment = (entry: ListedEntry): ListedPayment => ({
  id: entry.id,
  payment_id: entry.paymentId,
  status: entry.status,
  amount: decimalFromCents(entry.amountCents),
  currency: entry.currency,
  counted: decimalFromCents(entry.countedCents),
  at: new Date(entry.at).toISOString(),
  day: entry.day,
  invoice: { id: entry.invoiceId, number: entry.invoiceNumber },
  customer: { id: entry.contactId, name: entry.customer },
  payer: entry.payer,
  method: entry.method === 'ach' ? 'ach' : 'card',
  wallet: entry.wallet,
  card: cardName(entry),
  terminal: entry.terminal,
  terminal_id: entry.terminalId,
  by: entry.by,
  batch_id: entry.batchId,
  can_go_back: entry.method === 'card' && REFUNDABLE_STATUSES.includes(entry.status),
  waiting: entry.waiting,
});

/** The amount of an entry that has the expected status and counts as zero; '' for any other entry. */
const amountIf = (expected: ListedEntry['status'], { status, countedCents, amountCents }: ListedEntry) =>
  status === expected && countedCents === 0 ? decimalFromCents(amountCents) : '';

type Column = [title: string, cell: (entry: ListedEntry, timeZone: string) => string];

/**
 * The columns of the CSV. `Amount` adds up to the day's figures, so a payment that was voided, is on its way or was
 * returned before it arrived is 0.00 there, and has its amount in a separate column.
 */
const COLUMNS: Column[] = [
  ['Date', ({ day }) => day],
  ['Time', ({ at }, timeZone) => localTime(at, timeZone)],
  ['Status', ({ status }) => paymentStatusWords[status]],
  ['Customer', ({ customer }) => customer],
  ['Payer', ({ payer }) => payer],
  ['Invoice Number', ({ invoiceNumber }) => invoiceNumber],
  ['Amount', ({ countedCents }) => decimalFromCents(countedCents)],
  ['Amount Voided', (entry) => amountIf('voided', entry)],
  ['Amount On Its Way', (entry) => amountIf('submitted', entry)],
  ['Amount Returned', (entry) => amountIf('returned', entry)],
  ['Currency', ({ currency }) => currency],
  ['Method', (entry) => methodName(entry)],
  ['Card', cardName],
  ['Taken', ({ terminal }) => terminal || 'Online'],
  ['By', ({ by }) => by],
  ['Batch', ({ batchId }) => batchId],
  ['Transaction ID', ({ id }) => id],
  ['Invoice ID', ({ invoiceId }) => invoiceId],
];

/**
 * Exports the same rows as CSV in pieces, with times in the clinic's time zone, and records the export. `days`: the
 * period for the file name.
 */
export async function exportPayments(
  deps: Deps,
  accountId: number,
  request: ListRequest,
): Promise<{ pieces: AsyncGenerator<string>; days: string } | null> {
  const parsed = await queryOf(deps, accountId, request);
  if (!parsed) return null;
  const { query, timeZone } = parsed;
  const { totals } = await readPaymentPage(deps.db, query, { page: 1, size: 1 });
  const { from, to } = query;
  await recordExport(deps, accountId, 'payments', totals.rows, { from, to });
  return { pieces: piecesOf(deps, query, timeZone), days: formatDaysForFileName(query) };
}

async function* piecesOf({ db }: Deps, query: PaymentQuery, timeZone: string): AsyncGenerator<string> {
  yield CSV_START + csvLine(COLUMNS.map(([title]) => title));
  for (let last: ListedEntry | null | undefined = null; last !== undefined; ) {
    const entries: ListedEntry[] = await readPaymentsAfter(db, query, last, ROWS_PER_READ);
    yield entries.map((entry) => csvLine(COLUMNS.map(([, cell]) => cell(entry, timeZone)))).join('');
    last = entries.length === ROWS_PER_READ ? entries.at(-1) : undefined;
  }
}
