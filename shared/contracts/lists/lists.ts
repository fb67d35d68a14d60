import * as z from 'zod/mini';
import { badAddresses, customerMails, deliveries } from './mail-values.ts';

/** Rows of the lists that a merchant pages through; what the list is a part of, and how it is asked for, is in list-values.ts. */

/** The fields of every invoice; money, times and days as in list-values.ts. */
export const InvoiceProperties = z.object({
  hs_number: z.string(),
  hs_amount_billed: z.nullable(z.string()),
  hs_balance_due: z.nullable(z.string()),
  hs_due_date: z.nullable(z.string()),
  hs_createdate: z.nullable(z.string()),
  hs_lastmodifieddate: z.nullable(z.string()),
  /** `draft`, `open`, `paid`, `voided` of the CRM, or what happened here: `paid`, `submitted`, `refunded`, `voided`, `returned`. */
  hs_invoice_status: z.string(),
  hs_currency: z.string(),
});

/** A row of GET /api/invoices, newest first if nothing else is asked for. */
export const InvoiceItem = z.object({
  id: z.string(),
  properties: InvoiceProperties,
  /** The CRM's own status; it differs where a payment here has not reached the CRM. */
  crm_status: z.string(),
  customer_name: z.string(),
  /** Names the page of the customer; empty where the CRM links none. */
  customer_id: z.string(),
  company_name: z.string(),
  /** What was given back of what was paid here. */
  refunded: z.string(),
  /** What of it was paid in parts; while it is open, that makes it partly paid. */
  part_paid: z.string(),
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
  /** What their open invoices owe, in US dollars alone; null: the amount of one of them cannot be read. */
  owed: z.nullable(z.string()),
  /** The earliest due date of that; null where none of it has one, or nothing is owed. */
  first_due: z.nullable(z.string()),
  /** ISO instant of their newest payment that stands; null: never. */
  last_paid_at: z.nullable(z.string()),
});
export type ListedCustomer = z.infer<typeof ListedCustomer>;

export const CustomersReply = z.object({ data: z.object({ results: z.array(ListedCustomer) }) });
export type CustomersReply = z.infer<typeof CustomersReply>;
/** Which mail about an invoice was the newest; null: none yet. */
export const Mailed = z.nullable(z.enum(['pay-link', 'receipt']));
/** How far the mail service says that it has come; null: nothing was told. */
export const MailDelivery = z.nullable(z.enum(deliveries));

/** The newest mail about an invoice that the mail service took; null: none is known. `told_at`: when it told of `delivery`. */
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
  /** The pay id: the last part of the pay link's address. */
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
  /** What was given back of what was paid here. */
  refunded: z.string(),
  /** What of it was paid in parts; while it is open, that makes it partly paid. */
  part_paid: z.string(),
  /** Where a mail would go; empty: the CRM knows no address, so none can be sent. */
  email: z.string(),
  last_email: LastEmail,
  /** No mail about it was ever sent. False where that cannot be known any more. */
  never_emailed: z.boolean(),
  /** When somebody last looked at its pay page by its link. That a mail was opened is never known. */
  opened_at: z.nullable(z.string()),
  /** Why no mail arrives at `email`. */
  bad_address: z.nullable(z.enum(badAddresses)),
  /** By the plan of reminders; null: none is to come. */
  next_reminder_at: z.nullable(z.string()),
  /** Null where the currency cannot be paid online: the page behind `id` says so. */
  link_ends_at: z.nullable(z.string()),
});
export type OpenInvoiceItem = z.infer<typeof OpenInvoiceItem>;

/** POST sendPaymentLink and sendPaymentSuccessEmail: 200 `sent`, or 202 `queued` when the mail service has yet to take it. */
export const SendMailReply = z.object({ status: z.enum(['sent', 'queued']), to: z.string(), sent_at: z.string() });
export type SendMailReply = z.infer<typeof SendMailReply>;
