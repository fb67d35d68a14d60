import type { RawRow } from '../db.ts';
import { isOwed } from '../offers.ts';

/** Condition for synced records that the CRM still has; the search indexes hold just those. */
export const NOT_GONE = 't.deleted_at IS NULL';

/** The sort key of the order by status. */
export const STATUS_KEY = 't.shown_status';

/** The sort key of the order by due date. */
export const DUE_KEY = "coalesce(t.due_date, '')";

/** An open invoice on which something is left to pay: only it is due or overdue. Word for word as in the indexes. */
export const IS_OWED = isOwed('t.');

/** The sort key of the order by status that begins with what is owed, the longest due first. */
export const OWED_FIRST_KEY = `CASE WHEN ${IS_OWED} THEN '0' || coalesce(t.due_date, '9')
    ELSE '1' || t.shown_status || ' ' || (99999999 - replace(coalesce(t.due_date, ''), '-', '')) END`;

/** One list as SQL. All SQL in here is our own; nothing comes from a request. */
export type ListDescription = {
  name: 'invoices' | 'open-invoices' | 'customers';
  /** The table, always under the alias `t`. */
  table: 'invoices' | 'contacts';
  /** Condition for the list's rows, word for word as in its indexes. */
  rows: string;
  /** The selected columns, each under a name of its own. */
  columns: string;
  /** Sort orders by field, each with its index. */
  sorts: Record<string, SortOrder>;
  /** The index by status, where the list has statuses. */
  byStatus?: string;
  search: 'invoice_search' | 'customer_search';
  /** Statuses that no row holds: a day or a sum makes them. */
  made: Record<string, MadeStatus>;
};

/**
 * The stored status that it is a part of, if rows have any; its condition, word for word as in its index; and whether
 * the day of `key` is past or still ahead (or missing).
 */
export type MadeStatus = { of: string | null; is: string; index: string; due?: { key: string; isPast: boolean } };

export type SortOrder = {
  index: string;
  /** The index's expression between account and id; a missing value sorts before every real one. */
  key: string;
  kind: 'text' | 'number';
};

export type Key = string | number;

/**
 * Where a neighbouring page begins: after the row with this key and id, or before it (then read backwards). `total` is
 * the number of rows on all pages, so that turning a page need not count them again.
 */
export type Cursor = { page: number; side: 'after' | 'before'; key: Key; id: number; total: number };

export type Range = { field: string; from: Key | null; to: Key | null };

export type ListFilters = {
  /** Search text as it was typed; empty for no search. */
  q: string;
  statuses: string[];
  /** The day where the business is, which says what is overdue. */
  today?: string;
  ranges: Range[];
  contactId: string | null;
  /** Only customers that have an invoice to pay. */
  hasOpenInvoice: boolean;
};

/** A request for one page of a list. */
export type ListView = ListFilters & {
  sort: string;
  isDescending: boolean;
  page: number;
  size: number;
  cursor: Cursor | null;
};

/** A row of a list, with the sort key and the id that say where it stands. */
export type ListRow = RawRow & { sort_key: Key; id_number: number };

export const cursorAfter = ({ sort_key: key, id_number: id }: ListRow, page: number, total: number): Cursor => ({
  page,
  side: 'after',
  key,
  id,
  total,
});

/** Cursors of the pages before and after these rows. `isMore`: there are more than `total`. */
export function neighboursOf(
  rows: ListRow[],
  { page, size }: ListView,
  total: number,
  isMore: boolean,
): { next: Cursor | null; previous: Cursor | null } {
  const [first, last] = [rows[0], rows.at(-1)];
  const isNext = isMore ? rows.length === size : page * size < total;
  return {
    next: last && isNext ? cursorAfter(last, page + 1, total) : null,
    previous: first && page > 1 ? { ...cursorAfter(first, page - 1, total), side: 'before' } : null,
  };
}
