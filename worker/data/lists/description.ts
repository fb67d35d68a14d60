import type { RawRow } from '../db.ts';
import { isOwed } from '../payable-conditions.ts';

/** Matches synced records that the CRM still has; the search indexes contain only those. */
export const IS_NOT_DELETED = 't.deleted_at IS NULL';

/** The sort key of the order by status. */
export const STATUS_KEY = 't.shown_status';

/** The sort key of the order by due date. */
export const DUE_KEY = "coalesce(t.due_date, '')";

/** Open invoices with a remaining amount; only they can be due or overdue. Must match the indexes word for word. */
export const IS_OWED = isOwed('t.');

/** The sort key that puts owed invoices first, longest due first, and then orders by status. */
export const OWED_FIRST_KEY = `CASE WHEN ${IS_OWED} THEN '0' || coalesce(t.due_date, '9')
    ELSE '1' || t.shown_status || ' ' || (99999999 - replace(coalesce(t.due_date, ''), '-', '')) END`;

/** A list as SQL. All SQL here is from our own code; none comes from a request. */
export type ListDescription = {
  name: 'invoices' | 'open-invoices' | 'customers';
  /** The table, always with the alias `t`. */
  table: 'invoices' | 'contacts';
  /** The condition for the list's rows, word for word as in its indexes. */
  rows: string;
  /** The selected columns, each with a unique name. */
  columns: string;
  /** Sort orders by field, each with its index. */
  sorts: Record<string, SortOrder>;
  /** The index by status, if the list has statuses. */
  byStatus?: string;
  search: 'invoice_search' | 'customer_search';
  /** The sort order by people's names, in which matches by name come first. */
  rankedSort?: string;
  /** Statuses that are not stored but derived from a day or an amount. */
  derived: Record<string, DerivedStatus>;
};

/**
 * `stored`: the stored status of which it is a part, if any. `condition`: word for word as in its index. `due`: the day
 * of `key` must be past (`isPast`), or else today, later or missing.
 */
export type DerivedStatus = {
  stored: string | null;
  condition: string;
  index: string;
  due?: { key: string; isPast: boolean };
};

export type SortOrder = {
  index: string;
  /** The index's expression between account and id; missing values sort first. */
  key: string;
  kind: 'text' | 'number';
};

export type SortKey = string | number;

/**
 * The start of a neighboring page: after the row with this key and id, or before it (then read backwards). `total`: the
 * number of rows on all pages, so that paging does not count them again.
 */
export type Cursor = { page: number; side: 'after' | 'before'; key: SortKey; id: number; total: number };

export type ValueRange = { field: string; from: SortKey | null; to: SortKey | null };

export type ListFilters = {
  /** The search text as typed; empty for no search. */
  q: string;
  statuses: string[];
  /** The current day at the business, which decides what is overdue. */
  today?: string;
  ranges: ValueRange[];
  contactId: string | null;
  /** Only customers with an invoice to pay. */
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

/** A row of a list, with the sort key and the id that define its position. */
export type ListRow = RawRow & { sort_key: SortKey; id_number: number };

export const cursorAfter = ({ sort_key: key, id_number: id }: ListRow, page: number, total: number): Cursor => ({
  page,
  side: 'after',
  key,
  id,
  total,
});

/** Cursors of the previous and next pages. `isMore`: there are more rows than `total`. */
export function neighborsOf(
  rows: ListRow[],
  { page, size }: ListView,
  total: number,
  isMore: boolean,
): { next: Cursor | null; previous: Cursor | null } {
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isMore ? rows.length === size : page * size < total;
  return {
    next: last && hasNext ? cursorAfter(last, page + 1, total) : null,
    previous: first && page > 1 ? { ...cursorAfter(first, page - 1, total), side: 'before' } : null,
  };
}
