import * as z from 'zod/mini';

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
