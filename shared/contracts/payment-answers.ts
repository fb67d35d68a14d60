import * as z from 'zod/mini';
import { ErrorBody } from './error.ts';
import { PaidTransaction } from './payment-status.ts';

/** What the public calls of a pay link answer; apart from payment.ts, so that the pay page loads no validator. */

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
