import * as z from 'zod/mini';
import { merchantLimits } from '#shared/limits';
import { typedCents } from '#shared/money';

/** Responses to a merchant's calls about batches, their transactions, and reversals. */

/** A batch from the gateway. All values are text: money with two decimals, times in ISO format. */
export const Batch = z.object({
  id: z.string(),
  /** PENDING: being closed. FAILED: closing can be retried. */
  status: z.enum(['OPEN', 'CLOSED', 'PENDING', 'FAILED', 'UNKNOWN']),
  terminal_name: z.string(),
  'terminal-id': z.string(),
  'date-opened': z.nullable(z.string()),
  settled: z.nullable(z.string()),
  'sales-count': z.string(),
  'sales-total': z.string(),
  'refund-count': z.string(),
  'refund-total': z.string(),
  'net-amount': z.string(),
  'confirmation-code': z.nullable(z.string()),
});
export type Batch = z.infer<typeof Batch>;

/** GET /api/terminals/{terminalId}/batches, newest first. */
export const BatchesReply = z.object({ batch: z.array(Batch) });
export type BatchesReply = z.infer<typeof BatchesReply>;

/** PUT /api/terminals/{terminalId}/batches/close; `?batch=` is the id of the batch. */
export const CloseBatchReply = z.object({
  status: z.enum(['closed', 'processing', 'unknown']),
  message: z.string(),
  batch: z.nullable(Batch),
});
export type CloseBatchReply = z.infer<typeof CloseBatchReply>;

/** GET /api/terminals/{terminalId}/closing: the content of a close at this time. */
export const ClosingReply = z.object({
  batch: z.nullable(Batch),
  /** Payments on this terminal with an unknown outcome. */
  unknown: z.array(z.object({ invoice_number: z.string(), amount: z.string(), since: z.string() })),
  /** Payments with the same card and amount within ten minutes, earliest first; null if unavailable. */
  duplicates: z.nullable(
    z.array(z.object({ amount: z.string(), 'card-type': z.string(), card: z.string(), created: z.array(z.string()) })),
  ),
});
export type ClosingReply = z.infer<typeof ClosingReply>;

const Kind = z.enum(['void', 'refund']);

/** The reversal that is currently possible for a payment, or the reason why there is none. */
export const ReversalOffer = z.object({
  kind: z.nullable(Kind),
  /** The remaining amount of the payment; a void always covers the full payment. */
  left: z.string(),
  /** The part of it that the caller may refund now; less than `left` if that exceeds a manager's limit. */
  may_refund: z.string(),
  why: z.nullable(z.string()),
});
export type ReversalOffer = z.infer<typeof ReversalOffer>;

/** GET /api/terminals/{terminalId}/batches/{batchId}: a list of these, oldest first. */
export const BatchTransaction = z.object({
  id: z.string(),
  amount: z.nullable(z.string()),
  type: z.string(),
  result: z.string(),
  'card-type': z.string(),
  card: z.string(),
  billing: z.object({ 'first-name': z.string(), 'last-name': z.string() }),
  created: z.nullable(z.string()),
  voided: z.boolean(),
  /** The payment in our ledger; null if not taken here. */
  payment: z.nullable(
    z.object({
      id: z.string(),
      invoice_id: z.string(),
      invoice_number: z.string(),
      /** The id of the invoice's customer; empty if the CRM links none. */
      customer_id: z.string(),
      /** Null if it is not a payment, for example a refund. */
      offer: z.nullable(ReversalOffer),
    }),
  ),
});
export type BatchTransaction = z.infer<typeof BatchTransaction>;

export const ShownReversal = z.object({
  id: z.string(),
  kind: Kind,
  amount: z.string(),
  state: z.enum(['under-way', 'done', 'refused', 'not-done', 'needs-a-person']),
  reason: z.string(),
  /** The gateway's message. */
  message: z.string(),
  /** Its batch; empty if the gateway has reported none. */
  batch_id: z.string(),
  at: z.string(),
});
export type ShownReversal = z.infer<typeof ShownReversal>;
export type ReversalState = ShownReversal['state'];

/** GET /api/payments/{id}/reversal: a payment, its possible reversal, and its past reversals. */
export const ReversalView = z.object({
  payment: z.object({
    id: z.string(),
    invoice_id: z.string(),
    invoice_number: z.string(),
    amount: z.string(),
    card: z.string(),
    /** The terminal whose batches contain the payment and its reversal. */
    terminal_id: z.string(),
    paid_at: z.string(),
  }),
  offer: ReversalOffer,
  reversals: z.array(ShownReversal),
});
export type ReversalView = z.infer<typeof ReversalView>;

/** POST /api/payments/{id}/reversals, as confirmed by the gateway; `under-way` with status 202 if not known yet. */
export const ReversalReply = z.object({ reversal: ShownReversal, message: z.string() });
export type ReversalReply = z.infer<typeof ReversalReply>;

/** POST /api/invoices/{id}/collect-again */
export const ReopenInvoiceReply = z.object({
  /** Number of the collection that is now open. */
  collection: z.number(),
  /** The reason why payers still cannot pay it, or null. */
  notice: z.nullable(z.string()),
});
export type ReopenInvoiceReply = z.infer<typeof ReopenInvoiceReply>;

const MISSING = 'Please give a reason.';
/** A typed reason, which may be empty. */
export const reasonText = z.string({ error: MISSING }).check(
  z.trim(),
  z.maxLength(merchantLimits.reason, { error: `Please keep the reason to ${merchantLimits.reason} characters.` }),
  z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, {
    error: 'The reason contains characters that are not allowed.',
  }),
);

/** Body of POST /api/payments/{id}/reversals. */
export const ReversalBody = z.object({
  kind: z.enum(['void', 'refund'], { error: 'The request could not be read.' }),
  /** For a refund only; a void always reverses the full payment. */
  amount: z.optional(
    z.pipe(
      z
        .string({ error: 'Please enter an amount.' })
        .check(z.refine((text) => (typedCents(text.trim()) ?? 0) > 0, { error: 'Please enter an amount like 71.10.' })),
      z.transform((text) => typedCents(text.trim()) ?? 0),
    ),
  ),
  reason: reasonText.check(z.minLength(1, { error: MISSING })),
  /** Generated once per form, so that a repeated request is the same reversal. */
  requestId: z
    .string({ error: 'The request could not be read.' })
    .check(z.regex(/^[\w-]{16,64}$/, { error: 'The request could not be read.' })),
});
