import * as z from 'zod/mini';
import { ApiError } from '../error.ts';
import { CustomerItem, InvoiceItem, MailDelivery } from './lists.ts';
import { customerMails } from './mail-values.ts';

/** The open balance of a customer in one currency. */
export const Owed = z.object({
  currency: z.string(),
  /** Sum of the invoices whose amount can be read. */
  amount: z.string(),
  invoices: z.number(),
  /** Number of invoices with an unreadable amount. */
  unreadable: z.number(),
  /** Null if one of the overdue amounts is unreadable. */
  overdue_amount: z.nullable(z.string()),
  overdue_invoices: z.number(),
  /** The earliest due date, or null if none has one. */
  first_due: z.nullable(z.string()),
});
export type Owed = z.infer<typeof Owed>;

/**
 * A payment, or a reversal with a negative amount; only if its outcome is certain. `submitted`, `returned`: a bank
 * payment on its way, or returned before it arrived; no sum of payments includes it.
 */
export const CustomerPayment = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'refund', 'void', 'return', 'submitted', 'returned']),
  amount: z.string(),
  currency: z.string(),
  at: z.string(),
  /** "Visa 1111", or "Bank account". */
  how: z.string(),
  /** The card reader's name, or "online". */
  where: z.string(),
  invoice_id: z.string(),
  invoice_number: z.string(),
});
export type CustomerPayment = z.infer<typeof CustomerPayment>;

export const CustomerMail = z.object({
  id: z.string(),
  kind: z.enum(customerMails),
  state: z.enum(['due', 'sent', 'failed']),
  delivery: MailDelivery,
  at: z.string(),
  to: z.string(),
  invoice_id: z.string(),
  invoice_number: z.string(),
});
export type CustomerMail = z.infer<typeof CustomerMail>;

/** GET /api/customers/{contact id}: one customer with the newest `customerRows` of each kind of record. */
export const CustomerReply = z.object({
  customer: CustomerItem,
  address: z.string(),
  /** Time of the copy from the CRM. */
  copied_at: z.string(),
  owed: z.array(Owed),
  /** Bank payments that have not arrived yet, in US dollars; counted neither as owed nor as paid. */
  on_its_way: z.string(),
  /** Open invoices first, then newest first. */
  invoices: z.array(InvoiceItem),
  invoice_count: z.number(),
  paid: z.object({
    /** Payments less reversals. */
    amount: z.string(),
    currency: z.string(),
    payments: z.number(),
    given_back: z.number(),
    last_at: z.nullable(z.string()),
    /** Typical number of days from emailed link to payment; null before the third paid invoice. */
    usual_days: z.nullable(z.number()),
  }),
  payments: z.array(CustomerPayment),
  mails: z.array(CustomerMail),
  /** Date of the first invoice; null if none has a date. */
  since: z.nullable(z.string()),
});
export type CustomerReply = z.infer<typeof CustomerReply>;

/** The error body, which also has the CRM's envelope. */
export const CustomersError = z.extend(ApiError, {
  status: z.literal('error'),
  data: z.object({ message: z.string() }),
});
export type CustomersError = z.infer<typeof CustomersError>;

/** GET /api/invoices/getCustomer/{invoice id}: the customers of an invoice. */
export const InvoiceCustomerReply = z.object({ results: z.array(CustomerItem) });
export type InvoiceCustomerReply = z.infer<typeof InvoiceCustomerReply>;
