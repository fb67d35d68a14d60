import * as z from 'zod/mini';
import { ErrorBody } from '../error.ts';

export const PaidTransaction = z.object({
  id: z.string(),
  amount: z.string(),
  card: z.string(),
  'authorization-code': z.string(),
  result: z.string(),
});
export type PaidTransaction = z.infer<typeof PaidTransaction>;

/** The answer of GET /api/invoices/{payId}/payment: the latest payment on an invoice. */
export const PaymentStatus = z.object({
  /** `submitted`: an accepted bank debit that has not settled. `desk`: a terminal has the invoice. */
  state: z.enum(['none', 'pending', 'submitted', 'paid', 'declined', 'desk']),
  /** When the payment was sent, ISO 8601 UTC. */
  since: z.optional(z.string()),
  /** Of one that is being confirmed: when a gateway that knows nothing of it is believed, ISO 8601 UTC. */
  until: z.optional(z.string()),
  /** True where `none` stands after an unknown outcome that turned out not to be charged. */
  notCharged: z.optional(z.boolean()),
  transaction: z.optional(PaidTransaction),
  error: z.optional(z.object({ 'error-message': z.string(), 'result-code': z.string() })),
  receiptUrl: z.optional(z.string()),
});
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** Answers of the public calls of a pay link. The pay page reads them without a validator (payment.ts). */

/** Why a payment was refused, in the provider's words. */
const ProviderError = z.object({ 'error-message': z.string(), 'result-code': z.string() });

/**
 * Reply of takePaymentSDK in every case; `error` is added when the payment is refused. `pending` with a transaction is
 * an accepted bank debit ("Payment submitted"), `pending` without one is an outcome not known yet.
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
  /** Address of the receipt page, once approved. */
  receiptUrl: z.optional(z.string()),
});
export type TakePaymentReply = z.infer<typeof TakePaymentReply>;

/** A line of a bill; `total` of all its pieces, decimal text. Null where the CRM has none. */
export const BillLine = z.object({ name: z.string(), quantity: z.nullable(z.string()), total: z.nullable(z.string()) });
export type BillLine = z.infer<typeof BillLine>;

/** GET /api/invoices/{payId} without a bearer: exactly these fields. */
export const PublicInvoice = z.object({
  invoice: z.object({
    invoice_number: z.string(),
    /** Null: the CRM names no amount that can be read, which is not zero. */
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
  /** Only where the business shows payers what is on their bill: the first lines, and how many there are. */
  line_items: z.optional(z.array(BillLine)),
  line_item_count: z.optional(z.number()),
});
export type PublicInvoice = z.infer<typeof PublicInvoice>;
