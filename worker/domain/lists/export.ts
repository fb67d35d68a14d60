import type { ListRequest } from '#shared/contracts/lists/list-request';
import type { InvoiceItem, ListedCustomer, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { decimalFromCents } from '#shared/money';
import { type Day, dayOfDate, localDay, localMoment } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { cursorAfter, type ListDescription, type ListRow } from '#worker/data/lists/description';
import { openInvoiceList, PAID_COLUMNS } from '#worker/data/lists/invoices';
import { MAX_SORTED, readListAfter, readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import { type NextReminder, presentInvoice, presentListedCustomer, presentOpenInvoice } from './present.ts';
import { factsOf, type ListFacts } from './read-list.ts';

/**
 * The maximum number of rows in one piece. A search ranks at most this many; a longer result is in sort order, so the
 * next piece continues after the last row.
 */
const MAX_PIECE_ROWS = MAX_SORTED;

/** `timeZone`: the clinic's, used for all times in files. */
export type Column = { title: string; cell(row: ListRow, timeZone: string): string };

/** `day`: the clinic's day of the export. */
export type ListExport = { facts: ListFacts; pieces: AsyncGenerator<string>; day: Day };

/**
 * Exports all rows that match the filters as CSV, in chunks, so that the full list is never held in memory. Null if the
 * session of this claim has ended; if it ends midway, the export fails with an error.
 */
export async function exportList(
  deps: Deps,
  list: ListDescription,
  claim: SessionClaim,
  request: ListRequest,
  columns: Column[],
): Promise<ListExport | null> {
  const { db, now } = deps;
  const view = { ...request, page: 1, size: MAX_PIECE_ROWS, cursor: null };
  const firstPage = await readListPage(db, list, claim, now(), view);
  if (!firstPage) return null;
  const timeZone = await findTimeZone(db, claim.accountId);
  await recordExport(deps, claim.accountId, list.name, firstPage.total);
  const lines = (rows: ListRow[]) =>
    rows.map((row) => csvLine(columns.map(({ cell }) => cell(row, timeZone)))).join('');

  async function* pieces(rows: ListRow[], total: number): AsyncGenerator<string> {
    yield CSV_START + csvLine(columns.map(({ title }) => title)) + lines(rows);
    for (let last = rows.at(-1), isMore = total > MAX_PIECE_ROWS; last && isMore; ) {
      const piece = await readListAfter(db, list, claim, now(), view, cursorAfter(last, 1, total));
      if (!piece) throw new Error('the session ended during an export');
      yield lines(piece.rows);
      last = piece.rows.at(-1);
      isMore = piece.rows.length === MAX_PIECE_ROWS;
    }
  }
  return {
    facts: factsOf(firstPage, view, now()).facts,
    pieces: pieces(firstPage.rows, firstPage.total),
    day: localDay(now(), timeZone),
  };
}

/** Writes a time (ISO 8601) in the clinic's time zone; a day stays as it is. */
type FormatTime = (time: string | null) => string | null;
const formatTimeIn =
  (timeZone: string): FormatTime =>
  (time) =>
    time && time.length > 10 ? localMoment(Date.parse(time), timeZone) : time;

// Columns of the lists' CSV. Money and days are as in the API, times in the clinic's zone; unknown values are empty.

const invoice = (title: string, read: (item: InvoiceItem, formatTime: FormatTime) => string | null): Column => ({
  title,
  cell: (row, timeZone) => read(presentInvoice(row), formatTimeIn(timeZone)) ?? '',
});
const customer = (title: string, read: (item: ListedCustomer, formatTime: FormatTime) => string | null): Column => ({
  title,
  cell: (row, timeZone) => read(presentListedCustomer(row), formatTimeIn(timeZone)) ?? '',
});

export const invoiceColumns: Column[] = [
  invoice('Invoice ID', ({ id }) => id),
  invoice('Invoice Number', ({ properties }) => properties.hs_number),
  invoice('Amount Billed', ({ properties }) => properties.hs_amount_billed),
  invoice('Balance Due', ({ properties }) => properties.hs_balance_due),
  invoice('Currency', ({ properties }) => properties.hs_currency),
  invoice('Due Date', ({ properties }) => properties.hs_due_date),
  invoice('Created Date', ({ properties }, formatTime) => formatTime(properties.hs_createdate)),
  invoice('Last Modified Date', ({ properties }, formatTime) => formatTime(properties.hs_lastmodifieddate)),
  invoice('Status', ({ properties }) => properties.hs_invoice_status),
  invoice('Status in the CRM', ({ crm_status }) => crm_status),
  invoice('Customer', ({ customer_name }) => customer_name),
  invoice('Company', ({ company_name }) => company_name),
];

/** The list of open invoices with the billed and paid amounts, which only exported files show. */
export const openInvoiceExport: ListDescription = {
  ...openInvoiceList,
  columns: [openInvoiceList.columns, ...PAID_COLUMNS].join(', '),
};

// Exported files may be passed on, so they omit pay links, which work for everyone who has them.
export function openInvoiceColumns(now: number, nextReminder: NextReminder): Column[] {
  const column = (title: string, read: (item: OpenInvoiceItem, formatTime: FormatTime) => string | null): Column => ({
    title,
    cell: (row, timeZone) => read(presentOpenInvoice(row, null, now, nextReminder), formatTimeIn(timeZone)) ?? '',
  });
  return [
    column('Invoice ID', ({ invoice_number }) => invoice_number),
    column('Company', ({ company }) => company.name),
    column('Customer', ({ customer: { first_name, last_name } }) => `${first_name} ${last_name}`.trim()),
    column('Amount', ({ amount_due }) => amount_due),
    { title: 'Amount Billed', cell: (row) => presentInvoice(row).properties.hs_amount_billed ?? '' },
    { title: 'Amount Paid', cell: (row) => paidAmountOf(row) },
    { title: 'Paid On', cell: (row, timeZone) => paidDayOf(row, timeZone) },
    column('Currency', ({ currency }) => currency),
    column('Due Date', ({ due_date }) => due_date),
    column('Status', ({ status }) => status),
    column('Status in the CRM', ({ crm_status }) => crm_status),
    column('Email', ({ email }) => email),
    column('Last mail', ({ last_email }) => last_email?.kind ?? null),
    column('Last mail sent', ({ last_email }, formatTime) => formatTime(last_email?.at ?? null)),
    column('Last mail came to', ({ last_email }) => last_email?.delivery ?? null),
    column('Payment page opened', ({ opened_at }, formatTime) => formatTime(opened_at)),
    column('No mail arrives, because', ({ bad_address }) => bad_address),
    column('Next reminder', ({ next_reminder_at }, formatTime) => formatTime(next_reminder_at)),
  ];
}

/** The amount paid here less refunds; the billed amount if only the CRM records the invoice as paid. */
function paidAmountOf({ paid_cents, billed_cents, crm_status, shown_status }: ListRow): string {
  if (typeof paid_cents === 'number') return decimalFromCents(paid_cents);
  const isPaidInCrm = crm_status === 'paid' && shown_status === 'paid';
  return isPaidInCrm && typeof billed_cents === 'number' ? decimalFromCents(billed_cents) : '';
}

/** The day of the last payment here, or else the day in the CRM. */
function paidDayOf({ paid_day, paid_at }: ListRow, timeZone: string): string {
  if (typeof paid_day === 'string') return paid_day;
  return typeof paid_at === 'number' ? dayOfDate(paid_at, timeZone) : '';
}

export const customerColumns: Column[] = [
  customer('Name', ({ properties: { firstname, lastname } }) => `${firstname} ${lastname}`.trim()),
  customer('Email', ({ properties }) => properties.email),
  customer('Phone', ({ properties }) => properties.phone),
  customer('Company', ({ properties }) => properties.company),
  customer('Owed', ({ owed }) => owed),
  customer('Amount Unreadable', ({ has_unreadable }) => (has_unreadable ? 'yes' : 'no')),
  customer('First Due Date', ({ first_due }) => first_due),
  customer('Last Paid', ({ last_paid_at }, formatTime) => formatTime(last_paid_at)),
];
