import * as z from 'zod/mini';
import { badAddresses, customerMails, deliveries } from './mail-values.ts';

/** Rows of a merchant's paged lists; list-values.ts documents headers and parameters. */

/** The fields of every invoice; money, times and days as in list-values.ts. */
export const InvoiceProperties = z.object({
  hs_number: z.string(),
  hs_amount_billed: z.nullable(z.string()),
  hs_balance_due: z.nullable(z.string()),
  hs_due_date: z.nullable(z.string()),
  hs_createdate: z.nullable(z.string()),
  hs_lastmodifieddate: z.nullable(z.string()),
  /**
   * `draft`, `open`, `paid`, `voided` from the CRM, or the local outcome: `paid`, `submitted`, `refunded`, `voided`,
   * `returned`.
   */
  hs_invoice_status: z.string(),
  hs_currency: z.string(),
});

/** A row of GET /api/invoices, newest first by default. */
export const InvoiceItem = z.object({
  id: z.string(),
  properties: InvoiceProperties,
  /** The CRM's own status; it differs if a payment here has not reached the CRM. */
  crm_status: z.string(),
  customer_name: z.string(),
  /** The customer's id; empty if the CRM links none. */
  customer_id: z.string(),
  company_name: z.string(),
  /** Reversed amount of the payments made here. */
  refunded: z.string(),
  /** Amount paid in parts. If it is above zero, an open invoice is partly paid. */
  part_paid: z.string(),
  /** True while it is unknown whether a payment was charged: it must not be taken again. */
  is_undecided: z.boolean(),
});
export type InvoiceItem = z.infer<typeof InvoiceItem>;

export const CustomerItem = z.object({
  id: z.string(),
  properties: z.object({
    firstname: z.string(),
    lastname: z.string(),
    email: z.string(),
    phone: z.string(),
    company: z.string(),
  }),
});
export type CustomerItem = z.infer<typeof CustomerItem>;

/** A row of GET /api/customers; `open=1` leaves only customers with an open invoice, `owed=` is in list-values.ts. */
export const ListedCustomer = z.extend(CustomerItem, {
  /** Total owed on open invoices whose amount can be read, US dollars only. */
  owed: z.string(),
  /** True if more is owed than `owed`, because an open invoice has an unreadable amount. */
  has_unreadable: z.boolean(),
  /** The earliest due date of these invoices, or null. */
  first_due: z.nullable(z.string()),
  /** ISO time of the newest payment that was not reversed, or null. */
  last_paid_at: z.nullable(z.string()),
});
export type ListedCustomer = z.infer<typeof ListedCustomer>;

export const CustomersReply = z.object({ data: z.object({ results: z.array(ListedCustomer) }) });
export type CustomersReply = z.infer<typeof CustomersReply>;
/** The kind of the newest email about an invoice; null if none yet. */
export const Mailed = z.nullable(z.enum(['pay-link', 'receipt']));
/** Delivery state reported by the mail service, or null. */
export const MailDelivery = z.nullable(z.enum(deliveries));

/**
 * The newest email about an invoice accepted by the mail service, or null. `told_at`: time of the `delivery` report.
 */
export const LastEmail = z.nullable(
  z.object({
    kind: z.enum(customerMails),
    at: z.string(),
    delivery: MailDelivery,
    told_at: z.nullable(z.string()),
  }),
);
export type LastEmail = z.infer<typeof LastEmail>;

/**
 * A row of GET /api/invoices/getOpenInvoices: open and paid invoices, and those with a local status, latest due first
 * by default. Filters: `contact=` (an id), `status=open`, `due_date=..`, `amount_due=..`.
 */
export const OpenInvoiceItem = z.object({
  /** The pay id: the last part of the pay link's URL. */
  id: z.string(),
  crm_id: z.string(),
  invoice_number: z.string(),
  company: z.object({ name: z.string() }),
  customer: z.object({ first_name: z.string(), last_name: z.string() }),
  customer_id: z.string(),
  amount_due: z.nullable(z.string()),
  currency: z.string(),
  due_date: z.nullable(z.string()),
  status: z.string(),
  crm_status: z.string(),
  /** Reversed amount of the payments made here. */
  refunded: z.string(),
  /** Amount paid in parts. If it is above zero, an open invoice is partly paid. */
  part_paid: z.string(),
  /** True while it is unknown whether a payment was charged: it must not be taken again. */
  is_undecided: z.boolean(),
  /** Recipient of emails; empty if the CRM has no address, so none can be sent. */
  email: z.string(),
  last_email: LastEmail,
  /** True if no email about it was ever sent; false if that is no longer known. */
  never_emailed: z.boolean(),
  /** Last view of its pay page. Email opens are not tracked. */
  opened_at: z.nullable(z.string()),
  /** Known delivery problem of `email`, or null. */
  bad_address: z.nullable(z.enum(badAddresses)),
  /** Next scheduled reminder, or null. */
  next_reminder_at: z.nullable(z.string()),
  /** Null if the currency cannot be paid online; the page of `id` then states it. */
  link_ends_at: z.nullable(z.string()),
});
export type OpenInvoiceItem = z.infer<typeof OpenInvoiceItem>;

/** POST sendPaymentLink and sendPaymentSuccessEmail: 200 `sent`, or 202 `queued` if not accepted by the service yet. */
export const SendMailReply = z.object({ status: z.enum(['sent', 'queued']), to: z.string(), sent_at: z.string() });
export type SendMailReply = z.infer<typeof SendMailReply>;
