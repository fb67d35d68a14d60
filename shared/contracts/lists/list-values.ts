/**
 * Lists that a merchant pages through. The body is the plain list; what the list is a part of travels in headers.
 * Money is a decimal string with 2 places, a time an ISO 8601 instant in UTC, a day YYYY-MM-DD; null where the CRM has none.
 */
export const listHeaders = {
  /**
   * How many rows the filters leave, over all pages. What is filtered or searched is counted up to 10,000; `true`: there are
   * more, which only the neighbouring pages' cursors lead to.
   */
  total: 'x-total-count',
  isMore: 'x-total-more',
  page: 'x-page',
  pages: 'x-page-count',
  /**
   * Where the neighbouring pages begin; sent back as `cursor` beside that page's number they spare the database the way
   * there. Absent where there is nothing to spare.
   */
  next: 'x-next-cursor',
  previous: 'x-previous-cursor',
  /** ISO instant of the CRM's data that is shown, and `true` when the CRM does not answer at the moment. */
  asOf: 'x-data-as-of',
  isStale: 'x-data-stale',
  /** `copied/expected` while an account's records are still being copied for the first time; absent afterwards. */
  copying: 'x-copying',
} as const;

export const pageSizes = [10, 20, 30, 40, 50] as const;

/**
 * Parameters of every list: `page` (from 1; a page past the last one is empty), `size` (1 to 100, otherwise 100), `sort` (a
 * field, `-` before it for descending), `q` (words, the last of which may be only begun), `cursor`, and filters under the
 * field's name: `hs_invoice_status=open,paid`, where `overdue` (open, and due before today where the business is), `due` (open,
 * and not that) `partly_paid` (open) and `partly_refunded` (paid) may stand as well, and ranges with `..`, either end open:
 * `hs_due_date=2026-01-01..2026-01-31`, `hs_amount_billed=..50`, `hs_balance_due=10..`. `format=csv` answers all rows that
 * the filters leave. Of open invoices `sort=status` begins with what is owed, the longest due first, and has the latest of each
 * other status first.
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

/** Values of the filter `owed`: something is owed; and some of it was due before today where the business is. */
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
