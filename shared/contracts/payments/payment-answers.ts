import * as z from 'zod/mini';
import { ErrorBody } from '../error.ts';

export const PaidTransaction = z.object({
  id: z.string(),
  amount: z.string(),
  card: z.string(),
  'authorization-code': z.string(),
  result: z.string(),
  /** The day of the payment at the business, YYYY-MM-DD. */
  date: z.optional(z.string()),
});
export type PaidTransaction = z.infer<typeof PaidTransaction>;

/** GET /api/invoices/{payId}/payment: the latest payment on an invoice. */
export const PaymentStatus = z.object({
  /** `submitted`: an accepted bank debit that has not settled. `desk`: a terminal has the invoice. */
  state: z.enum(['none', 'pending', 'submitted', 'paid', 'declined', 'desk']),
  /** Time of the payment, ISO 8601 UTC. */
  since: z.optional(z.string()),
  /** For `pending`: time from which a missing gateway record means not charged, ISO 8601 UTC. */
  until: z.optional(z.string()),
  /** True if `none` follows a payment that had an unknown outcome and turned out not to be charged. */
  notCharged: z.optional(z.boolean()),
  transaction: z.optional(PaidTransaction),
  error: z.optional(z.object({ 'error-message': z.string(), 'result-code': z.string() })),
  receiptUrl: z.optional(z.string()),
});
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** Responses of the public calls of a pay link. The pay page reads them without a validator (payment.ts). */

/** The provider's reason for refusing a payment. */
const ProviderError = z.object({ 'error-message': z.string(), 'result-code': z.string() });

/**
 * Every reply of takePaymentSDK; `error` is added if the payment is refused. `pending` with a transaction is an
 * accepted bank debit ("Payment submitted"); `pending` without one is an unknown outcome.
 */
export const TakePaymentReply = z.object({
  code: z.string(),
  status: z.enum(['success', 'fail', 'pending']),
  payload: z.object({
    payloadType: z.enum(['transaction', 'error', 'pending']),
    transaction: z.optional(PaidTransaction),
    error: z.optional(ProviderError),
  }),
  error: z.optional(ErrorBody),
  /** URL of the receipt page, once approved. */
  receiptUrl: z.optional(z.string()),
});
export type TakePaymentReply = z.infer<typeof TakePaymentReply>;

/** A line of a bill. `total`: price of the full quantity as decimal text, or null if the CRM has none. */
export const BillLine = z.object({ name: z.string(), quantity: z.nullable(z.string()), total: z.nullable(z.string()) });
export type BillLine = z.infer<typeof BillLine>;

/** GET /api/invoices/{payId} without a bearer token: exactly these fields. */
export const PublicInvoice = z.object({
  invoice: z.object({
    invoice_number: z.string(),
    /** Null if the CRM provides no readable amount, which is not zero. */
    amount_due: z.nullable(z.string()),
    due_date: z.nullable(z.string()),
  }),
  customer: z.object({ first_name: z.string(), last_name: z.string() }),
  company: z.object({
    name: z.string(),
    address: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
  }),
  publicKey: z.string(),
  sandbox: z.boolean(),
  sdk: z.object({ provider: z.string(), scriptUrl: z.string(), baseUrl: z.string() }),
  /** The first lines of the bill and the line count, only if the business shows them to payers. */
  line_items: z.optional(z.array(BillLine)),
  line_item_count: z.optional(z.number()),
});
export type PublicInvoice = z.infer<typeof PublicInvoice>;
