import { listed, raw, type Sql, sql } from './sql.ts';

/** Of a table of the copy, what the CRM still has; the search indexes hold just that. */
export const NOT_GONE = 't.gone_at IS NULL';

/** One list as the database holds it. Every word of SQL in here is our own. */
export type ListTable = {
  name: 'invoices' | 'open-invoices' | 'customers';
  /** The table, always under the alias `t`. */
  table: 'invoices' | 'contacts';
  /** Which of its rows the list has: word for word the condition of its indexes. */
  rows: string;
  /** What is read of a row, each under a name of its own. */
  columns: string;
  /** The sort orders by their field, each with the index that holds it. */
  sorts: Record<string, SortOrder>;
  search: 'invoice_search' | 'customer_search';
};

export type SortOrder = {
  index: string;
  /** What the index holds between hub and id; a missing value sorts before every real one. */
  key: string;
  kind: 'text' | 'number';
};

/** The key of the order by status. */
export const STATUS_KEY = 't.shown_status';

export type Key = string | number;

/**
 * Where a neighbouring page begins: after, or read backwards before, the row of this key and id; and how many rows there
 * were on all pages, so that turning a page need not count them again.
 */
export type Cursor = { page: number; side: 'after' | 'before'; key: Key; id: number; total: number };

export type Range = { field: string; from: Key | null; to: Key | null };

export type ListFilters = {
  /** What somebody typed to search by; empty for no search. */
  q: string;
  statuses: string[];
  ranges: Range[];
  contactId: string | null;
  /** Only customers that have an invoice to pay. */
  hasOpenInvoice: boolean;
};

/** What is asked of a list. */
export type ListView = ListFilters & {
  sort: string;
  isDescending: boolean;
  page: number;
  size: number;
  cursor: Cursor | null;
};

export const isFiltered = ({ q, statuses, ranges, contactId, hasOpenInvoice }: ListFilters): boolean =>
  q !== '' || statuses.length > 0 || ranges.length > 0 || contactId !== null || hasOpenInvoice;

export function sortOrder(list: ListTable, field: string): SortOrder {
  const order = list.sorts[field];
  if (!order) throw new Error(`the list ${list.name} has no sort order ${field}`);
  return order;
}

/** Between these two stands every key of a value that is there. */
const ENDS = {
  text: { first: ' ', last: '\u{10ffff}' },
  number: { first: Number.MIN_SAFE_INTEGER + 1, last: Number.MAX_SAFE_INTEGER },
} as const;

export type Bounds = { first: Key; last: Key };

export function boundsOf(list: ListTable, { field, from, to }: Range): Bounds {
  const { first, last } = ENDS[sortOrder(list, field).kind];
  return { first: from ?? first, last: to ?? last };
}

/** The bounds that the filters put on the key of a sort order: an index can be entered at them. */
export function boundsOnKey(list: ListTable, view: ListView): Bounds | null {
  const range = view.ranges.find(({ field }) => field === view.sort);
  if (range) return boundsOf(list, range);
  if (sortOrder(list, view.sort).key !== STATUS_KEY || view.statuses.length === 0) return null;
  const [first = '', ...rest] = [...view.statuses].sort();
  return { first, last: rest.at(-1) ?? first };
}

/** The conditions of the filters, but for the search and for the range of one field. */
export function conditions(list: ListTable, hubId: number, view: ListFilters, exceptField: string | null): Sql[] {
  const all = [sql`t.hub_id = ${hubId}`, raw(list.rows)];
  for (const range of view.ranges) {
    if (range.field === exceptField) continue;
    const { first, last } = boundsOf(list, range);
    const key = raw(sortOrder(list, range.field).key);
    all.push(sql`${key} >= ${first} AND ${key} <= ${last}`);
  }
  if (view.statuses.length > 0) all.push(sql`t.shown_status IN ${listed(view.statuses)}`);
  if (view.contactId !== null) all.push(sql`t.contact_id = ${view.contactId}`);
  return all;
}
