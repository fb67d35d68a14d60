/**
 * Paged lists of a merchant. The body is the plain list; paging data is in headers. Money is a decimal string with
 * 2 places, a time is ISO 8601 in UTC, a day is YYYY-MM-DD. Values that the CRM does not have are null.
 */
export const listHeaders = {
  /**
   * Number of rows on all pages. Filtered or searched rows are counted up to 10,000; `isMore` is `true` if there are
   * more, which are reachable only through cursors.
   */
  total: 'x-total-count',
  isMore: 'x-total-more',
  page: 'x-page',
  pages: 'x-page-count',
  /**
   * Cursors of the adjacent pages. Sent as `cursor` with the page number, they save the database a scan. Absent if
   * there is nothing to save.
   */
  next: 'x-next-cursor',
  previous: 'x-previous-cursor',
  /** ISO time of the CRM data, and `true` while the CRM does not respond. */
  asOf: 'x-data-as-of',
  isStale: 'x-data-stale',
  /** `copied/expected` during the first copy of an account's records; absent afterwards. */
  copying: 'x-copying',
} as const;

export const pageSizes = [10, 20, 30, 40, 50] as const;

/**
 * Parameters of every list: `page` (from 1; a page past the last one is empty), `size` (1 to 100, default 100), `sort`
 * (a field, with `-` for descending), `q` (words, the last of which may be a prefix; for customers sorted by name, name
 * matches come first), `cursor`, and filters by field name: `hs_invoice_status=open,paid`, which also accepts `owed`
 * (open, with an amount to pay), `overdue` (owed, due before today at the business), `due` (owed, not overdue),
 * `partly_paid` (open) and `partly_refunded` (paid). Ranges use `..` with either end open:
 * `hs_due_date=2026-01-01..2026-01-31`, `hs_amount_billed=..50`, `hs_balance_due=10..`. `format=csv` returns all
 * matching rows. For open invoices, `sort=status` starts with the amounts owed, earliest due first, then each other
 * status, latest first.
 */
export const invoiceSortFields = [
  'id',
  'hs_number',
  'hs_amount_billed',
  'hs_balance_due',
  'hs_due_date',
  'hs_createdate',
  'hs_lastmodifieddate',
  'hs_invoice_status',
] as const;
export type InvoiceSortField = (typeof invoiceSortFields)[number];

export const customerSortFields = ['name', 'email', 'phone', 'company', 'owed', 'last_paid'] as const;
export type CustomerSortField = (typeof customerSortFields)[number];

/** Values of the filter `owed`: customers who owe, and those with an amount due before today at the business. */
export const customerStatuses = ['owes', 'overdue'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

export const openInvoiceSortFields = [
  'invoice_number',
  'company',
  'customer',
  'amount_due',
  'due_date',
  'status',
] as const;
export type OpenInvoiceSortField = (typeof openInvoiceSortFields)[number];
