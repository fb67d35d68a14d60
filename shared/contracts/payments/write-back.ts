import * as z from 'zod/mini';
import { note } from './reconciliation.ts';

/** States of recording a payment in the CRM. */

const states = ['not-told', 'due', 'sent', 'refused', 'unknown', 'not_wanted', 'nothing_moved'] as const;

/** A payment or refund here that the CRM does not show. */
const Unrecorded = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'refund']),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  /** Decimal text; for a payment, less refunds. */
  amount: z.string(),
  currency: z.string(),
  /** Time of the payment or refund. */
  paid_at: z.string(),
  transaction_id: z.string(),
  /** `not-told`: not written to the CRM. `nothing_moved`: recorded, but the CRM still shows the invoice as open. */
  state: z.enum(states),
  /** Reason in the CRM's words or ours. */
  why: z.string(),
  /** False while our record may still arrive, so staff should not create a second one. */
  is_yours: z.boolean(),
});
export type Unrecorded = z.infer<typeof Unrecorded>;

/** GET and PUT /api/write-back: the account's setting, and a page of the list; the newest page without `before`. */
export const WriteBack = z.object({
  is_on: z.boolean(),
  /** True if the installation requests the required scopes from the CRM. */
  is_offered: z.boolean(),
  /** True if the account has granted them. */
  is_granted: z.boolean(),
  /** Current problem of an account that is on; empty if none. */
  trouble: z.enum(['', 'not_allowed', 'cannot']),
  /** The CRM's message about the problem. */
  said: z.string(),
  recorded: z.number(),
  /** Entries of this page, newest first. */
  unrecorded: z.array(Unrecorded),
  /** Number of payments checked for this page. */
  looked_at: z.number(),
  /** `before` for the next page; null if there are no earlier payments. */
  next: z.nullable(z.string()),
});
export type WriteBack = z.infer<typeof WriteBack>;

/** Parameters of GET /api/write-back. `before`: `next` of the previous page. `format=csv` returns the full list. */
export const WriteBackQuery = z.object({
  before: z.optional(
    z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/, { error: 'The page begins where the one before it ended.' })),
  ),
  format: z._default(z.enum(['json', 'csv'], { error: 'The format must be json or csv.' }), 'json'),
});

/** PUT /api/write-back. */
export const WriteBackBody = z.strictObject({ is_on: z.boolean() });
export type WriteBackBody = z.input<typeof WriteBackBody>;

/** PUT /api/write-back/payments/:id: marks an entry as recorded in the CRM by hand. */
export const ByHandBody = z.strictObject({ note });
export type ByHandBody = z.input<typeof ByHandBody>;
