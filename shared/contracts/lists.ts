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
 * field's name: `hs_invoice_status=open,paid`, and ranges with `..`, either end open:
 * `hs_due_date=2026-01-01..2026-01-31`, `hs_amount_billed=..50`, `hs_balance_due=10..`. `format=csv` answers all rows that
 * the filters leave.
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

/** A row of GET /api/invoices, newest first if nothing else is asked for. */
export type InvoiceItem = {
  id: string;
  properties: {
    hs_number: string;
    hs_amount_billed: string | null;
    hs_balance_due: string | null;
    hs_due_date: string | null;
    hs_createdate: string | null;
    hs_lastmodifieddate: string | null;
    /** `draft`, `open`, `paid`, `voided` of the CRM, or what happened here: `paid`, `submitted`, `refunded`, `voided`, `returned`. */
    hs_invoice_status: string;
    hs_currency: string;
  };
  /** What the CRM itself says, where that differs from what happened here. */
  crm_status: string;
  customer_name: string;
  company_name: string;
};

export const customerSortFields = ['name', 'email', 'phone', 'company'] as const;
export type CustomerSortField = (typeof customerSortFields)[number];

export type CustomerItem = {
  id: string;
  properties: { firstname: string; lastname: string; email: string; phone: string; company: string };
};
/** GET /api/customers; `open=1` leaves only customers with an open invoice. */
export type CustomersReply = { data: { results: CustomerItem[] } };
/** Its error keeps the CRM's envelope beside our own. */
export type CustomersError = { status: 'error'; data: { message: string }; error: { code: string; message: string } };

/** GET /api/invoices/getCustomer/{invoice id}: whom an invoice is addressed to. */
export type InvoiceCustomerReply = { results: CustomerItem[] };

export const openInvoiceSortFields = [
  'invoice_number',
  'company',
  'customer',
  'amount_due',
  'due_date',
  'status',
] as const;
export type OpenInvoiceSortField = (typeof openInvoiceSortFields)[number];

/**
 * A row of GET /api/invoices/getOpenInvoices: open and paid invoices, and those that something happened to here, latest due
 * first if nothing else is asked for. Filters: `contact=` (an id), `status=open`, `due_date=..`, `amount_due=..`.
 */
export type OpenInvoiceItem = {
  /** The pay id: the last part of the pay link's address. */
  id: string;
  crm_id: string;
  invoice_number: string;
  company: { name: string };
  customer: { first_name: string; last_name: string };
  amount_due: string | null;
  currency: string;
  due_date: string | null;
  status: string;
  crm_status: string;
  /** Where a mail would go; empty: the CRM knows no address, so none can be sent. */
  email: string;
  /** ISO instant of the newest mail sent for this invoice, and which one it was. */
  mailed_at: string | null;
  mailed: 'pay-link' | 'receipt' | null;
  /** Null where the currency cannot be paid online: the page behind `id` says so. */
  link_ends_at: string | null;
};

/**
 * GET /api/invoices/{id} with a merchant's bearer, by the CRM's id or a pay id: what the preview prints. Empty text where
 * nothing is known. While the CRM does not answer it is our copy, without lines and marked by `x-data-stale`.
 */
export type InvoicePreviewReply = {
  id: string;
  properties: InvoiceItem['properties'] & {
    hs_invoice_date: string | null;
    clinic_name: string;
    clinic_address: string;
    clinic_phone: string;
    customer_name: string;
    customer_address: string;
    payment_method: string;
    /** The day, where the business is. */
    payment_date: string | null;
    paid_via: string;
    transaction_id: string;
    receipt_id: string;
  };
  crm_status: string;
  /** `amount` is the price of one, with more than 2 decimals where it takes them to come to the line's total. */
  lineItemData: { id: string; properties: { name: string; amount: string | null; quantity: string | null } }[];
  /** Whether the line totals add up to what was billed. */
  lines_match: boolean;
  footer_text: string;
  can_edit_footer: boolean;
  /** Whether a signature is kept with the invoice; GET /api/invoices/{id}/signature answers its PNG. */
  signature_saved_at: string | null;
  /** Null where there is none, or where the currency cannot be paid online. */
  pay_link: { id: string; url: string; ends_at: string } | null;
  email: string;
  mailed_at: string | null;
  mailed: 'pay-link' | 'receipt' | null;
  receipt_url: string | null;
  /** The card payment that was booked for it, which may be voided or refunded. */
  payment_id: string | null;
  /** Its money went back: payers find it closed until it is collected again. */
  can_collect_again: boolean;
};

/**
 * POST and DELETE /api/invoices/{CRM id}/link: the live link, made or replaced. POST answers 409 `not-payable-online` where
 * the currency cannot be paid online.
 */
export type PayLinkReply = { id: string; url: string; ends_at: string };

/** PUT, body `{ signature }` (a PNG data URL), and DELETE of /api/invoices/{id}/signature. */
export type SignatureReply = { signature_saved_at: string | null };

/** PUT /api/token/footer-text, body `{ footer_text }`; an empty text brings back the product's. */
export type FooterTextReply = { footer_text: string };

/** POST sendPaymentLink and sendPaymentSuccessEmail: 200 `sent`, or 202 `queued` when the mail service has yet to take it. */
export type SendMailReply = { status: 'sent' | 'queued'; to: string; sent_at: string };
