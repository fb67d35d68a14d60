import * as z from 'zod/mini';
import { merchantLimits } from '#shared/limits';

/** Responses to a merchant's calls that compare the gateway's transactions with our ledger. */

export const ReconciliationLine = z.object({
  /** The gateway's id. */
  id: z.string(),
  /** `earlier`: from before the merchant's terminals were connected. `none`: no money moved, or not decided yet. */
  verdict: z.enum(['matched', 'only-gateway', 'only-ours', 'amount-differs', 'earlier', 'none']),
  /** The gateway's type; empty if the gateway does not have the transaction. */
  type: z.string(),
  at: z.nullable(z.string()),
  /** Net amount in the gateway's record and in our ledger; negative for a refund, null if there is no entry. */
  amount: z.nullable(z.string()),
  ours: z.nullable(z.string()),
  card: z.string(),
  /** The name on the card. */
  payer: z.string(),
  customer: z.string(),
  invoice: z.nullable(z.object({ id: z.string(), number: z.string() })),
});
export type ReconciliationLine = z.infer<typeof ReconciliationLine>;
export type ReconciliationVerdict = ReconciliationLine['verdict'];

export const ReconciliationSum = z.object({
  what: z.enum(['sales', 'refunds', 'net']),
  lines: z.string(),
  batch: z.string(),
  agrees: z.boolean(),
});
export type ReconciliationSum = z.infer<typeof ReconciliationSum>;

/** GET /api/terminals/{terminalId}/batches/{batchId}/match: its lines, oldest first, and sums to compare. */
export const BatchReconciliation = z.object({
  lines: z.array(ReconciliationLine),
  sums: z.array(ReconciliationSum),
});
export type BatchReconciliation = z.infer<typeof BatchReconciliation>;

/** A payment that requires a decision by staff. */
export const Undecided = z.object({
  payment_id: z.string(),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  amount: z.string(),
  since: z.string(),
  /**
   * Its state before staff had to decide. `pending`: a bank debit without an outcome. `lost`: missing in our ledger and
   * recovered from the gateway.
   */
  held_for: z.enum(['unknown', 'pending', 'not_charged', 'cancelled', 'timed_out', 'declined', 'returned', 'lost']),
});
export type Undecided = z.infer<typeof Undecided>;

/** A void or refund that requires a decision by staff. */
export const UndecidedReversal = z.object({
  reversal_id: z.string(),
  kind: z.enum(['void', 'refund']),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  /** The amount to reverse, the amount paid, and the sum reversed before. */
  amount: z.string(),
  paid: z.string(),
  given_back: z.string(),
  reason: z.string(),
  by: z.string(),
  since: z.string(),
  /** Reason for the manual decision; empty if not recorded. */
  why: z.string(),
});
export type UndecidedReversal = z.infer<typeof UndecidedReversal>;

/** A payment to check that requires no decision. */
export const CheckedPayment = z.object({
  payment_id: z.string(),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  amount: z.string(),
  at: z.string(),
  /** "Visa 1111"; empty for a bank account. */
  card: z.string(),
  /** The card reader; empty if online. */
  terminal: z.string(),
});
export type CheckedPayment = z.infer<typeof CheckedPayment>;

export const Resolution = z.object({
  id: z.string(),
  about: z.enum(['payment', 'void', 'refund']),
  invoice_number: z.string(),
  amount: z.string(),
  verdict: z.enum(['charged', 'not-charged', 'not-duplicate', 'happened', 'not-happened']),
  note: z.string(),
  by: z.string(),
  at: z.string(),
});
export type Resolution = z.infer<typeof Resolution>;

/** GET /api/matching: differences, newest first, as of the last complete reconciliation. */
export const ReconciliationView = z.object({
  checked_at: z.nullable(z.string()),
  /** Start of the current failure to read the gateway, or null. */
  failing_since: z.nullable(z.string()),
  /**
   * The number and amount that the dashboard shows: `undecided`, `undecided_reversals`, `unknown`, `look_alikes`, and
   * `differences` except those only in our ledger.
   */
  to_check: z.object({ count: z.number(), amount: z.string() }),
  differences: z.array(ReconciliationLine),
  /** Payments whose outcome is still being queried. */
  unknown: z.array(CheckedPayment),
  /**
   * Groups of today's payments of the same amount by the same card within ten minutes, except those that staff have set
   * aside.
   */
  look_alikes: z.array(z.array(CheckedPayment)),
  undecided: z.array(Undecided),
  undecided_reversals: z.array(UndecidedReversal),
  /** Invoices in parts whose amount changed in the CRM. `shown`: the CRM's amount at that time. */
  frozen_parts: z.array(
    z.object({
      invoice_id: z.string(),
      invoice_number: z.string(),
      customer: z.string(),
      left: z.nullable(z.string()),
      shown: z.nullable(z.string()),
      since: z.string(),
    }),
  ),
  resolved: z.array(Resolution),
});
export type ReconciliationView = z.infer<typeof ReconciliationView>;

/** POST /api/payments/{id}/resolution */
export const ResolutionReply = z.object({ verdict: z.enum(['charged', 'not-charged']), message: z.string() });
export type ResolutionReply = z.infer<typeof ResolutionReply>;

/** POST /api/reversals/{id}/resolution */
export const ReversalResolutionReply = z.object({
  verdict: z.enum(['happened', 'not-happened']),
  message: z.string(),
});
export type ReversalResolutionReply = z.infer<typeof ReversalResolutionReply>;

/** POST /api/look-alikes */
export const SetAsideReply = z.object({ message: z.string() });
export type SetAsideReply = z.infer<typeof SetAsideReply>;

/** The staff member's evidence for a decision. */
export const note = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please say how you know.'),
    z.maxLength(merchantLimits.note, `Please keep the note within ${merchantLimits.note} characters.`),
    z.regex(
      /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u,
      'The note contains characters that are not allowed.',
    ),
  );

export const ResolutionBody = z.strictObject({ verdict: z.enum(['charged', 'not-charged']), note });
export const ReversalResolutionBody = z.strictObject({ verdict: z.enum(['happened', 'not-happened']), note });
/** POST /api/look-alikes: the payments of one group of `look_alikes`, none of which is a duplicate. */
export const SetAsideBody = z.strictObject({
  payment_ids: z.array(z.string().check(z.regex(/^[\w-]{1,64}$/))).check(z.minLength(2), z.maxLength(100)),
  note,
});
export type SetAsideBody = z.input<typeof SetAsideBody>;
export type ResolutionBody = z.input<typeof ResolutionBody>;
export type ReversalResolutionBody = z.input<typeof ReversalResolutionBody>;
