import type { ListRequest } from '#shared/contracts/lists/list-request';
import type { InvoiceItem, ListedCustomer, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { cursorAfter, type ListDescription, type ListRow } from '#worker/data/lists/description';
import { readListAfter, readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import { type NextReminder, presentInvoice, presentListedCustomer, presentOpenInvoice } from './present.ts';
import { factsOf, type ListFacts } from './read-list.ts';

/** Rows that are read and written at a time. */
const ROWS = 1000;

export type Column = { title: string; cell(row: ListRow): string };

export type Exported = { facts: ListFacts; pieces: AsyncGenerator<string> };

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
): Promise<Exported | null> {
  const { db, now } = deps;
  const view = { ...request, page: 1, size: ROWS, cursor: null };
  const start = await readListPage(db, list, claim, now(), view);
  if (!start) return null;
  await recordExport(deps, claim.accountId, list.name, start.total);
  const lines = (rows: ListRow[]) => rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');

  async function* pieces(rows: ListRow[], total: number): AsyncGenerator<string> {
    yield CSV_START + csvLine(columns.map(({ title }) => title)) + lines(rows);
    for (let last = rows.at(-1), isMore = rows.length === ROWS; last && isMore; ) {
      const piece = await readListAfter(db, list, claim, now(), view, cursorAfter(last, 1, total));
      if (!piece) throw new Error('the session ended during an export');
      yield lines(piece.rows);
      last = piece.rows.at(-1);
      isMore = piece.rows.length === ROWS;
    }
  }
  return { facts: factsOf(start, view, now()).facts, pieces: pieces(start.rows, start.total) };
}

// Columns of the lists' CSV: money and days as in the API, empty cells for unknown values.

const invoice = (title: string, read: (item: InvoiceItem) => string | null): Column => ({
  title,
  cell: (row) => read(presentInvoice(row)) ?? '',
});
const customer = (title: string, read: (item: ListedCustomer) => string | null): Column => ({
  title,
  cell: (row) => read(presentListedCustomer(row)) ?? '',
});

export const invoiceColumns: Column[] = [
  invoice('Invoice ID', ({ id }) => id),
  invoice('Invoice Number', ({ properties }) => properties.hs_number),
  invoice('Amount Billed', ({ properties }) => properties.hs_amount_billed),
  invoice('Balance Due', ({ properties }) => properties.hs_balance_due),
  invoice('Currency', ({ properties }) => properties.hs_currency),
  invoice('Due Date', ({ properties }) => properties.hs_due_date),
  invoice('Created Date', ({ properties }) => properties.hs_createdate),
  invoice('Last Modified Date', ({ properties }) => properties.hs_lastmodifieddate),
  invoice('Status', ({ properties }) => properties.hs_invoice_status),
  invoice('Status in the CRM', ({ crm_status }) => crm_status),
  invoice('Customer', ({ customer_name }) => customer_name),
  invoice('Company', ({ company_name }) => company_name),
];

const openColumns: [title: string, read: (item: OpenInvoiceItem) => string | null][] = [
  ['Invoice ID', ({ invoice_number }) => invoice_number],
  ['Company', ({ company }) => company.name],
  ['Customer', ({ customer: { first_name, last_name } }) => `${first_name} ${last_name}`.trim()],
  ['Amount', ({ amount_due }) => amount_due],
  ['Currency', ({ currency }) => currency],
  ['Due Date', ({ due_date }) => due_date],
  ['Status', ({ status }) => status],
  ['Status in the CRM', ({ crm_status }) => crm_status],
  ['Email', ({ email }) => email],
  ['Last mail', ({ last_email }) => last_email?.kind ?? null],
  ['Last mail sent', ({ last_email }) => last_email?.at ?? null],
  ['Last mail came to', ({ last_email }) => last_email?.delivery ?? null],
  ['Pay page opened', ({ opened_at }) => opened_at],
  ['No mail arrives, because', ({ bad_address }) => bad_address],
  ['Next reminder', ({ next_reminder_at }) => next_reminder_at],
];

// Files are kept and shared, so they omit pay links, which are capabilities.
export const openInvoiceColumns = (now: number, nextReminder: NextReminder): Column[] =>
  openColumns.map(([title, read]) => ({
    title,
    cell: (row) => read(presentOpenInvoice(row, null, now, nextReminder)) ?? '',
  }));

export const customerColumns: Column[] = [
  customer('Name', ({ properties: { firstname, lastname } }) => `${firstname} ${lastname}`.trim()),
  customer('Email', ({ properties }) => properties.email),
  customer('Phone', ({ properties }) => properties.phone),
  customer('Company', ({ properties }) => properties.company),
  customer('Owed', ({ owed }) => owed),
  customer('First Due Date', ({ first_due }) => first_due),
  customer('Last Paid', ({ last_paid_at }) => last_paid_at),
];
