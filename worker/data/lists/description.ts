/** Of a table of the copy, what the CRM still has; the search indexes hold just that. */
export const NOT_GONE = 't.gone_at IS NULL';

/** The key of the order by status. */
export const STATUS_KEY = 't.shown_status';

/** One list as the database holds it. Every word of SQL in here is our own. */
export type ListDescription = {
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
  /** What the index holds between account and id; a missing value sorts before every real one. */
  key: string;
  kind: 'text' | 'number';
};

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
