import * as z from 'zod/mini';
import { note } from './reconciliation.ts';

/** What the CRM is told of payments. */

const states = ['not-told', 'due', 'sent', 'refused', 'unknown', 'not_wanted', 'nothing_moved'] as const;

/** A payment that was taken here, or money given back, of which the CRM shows nothing. */
const Unrecorded = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'refund']),
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  /** Decimal text; of a payment, less what was given back. */
  amount: z.string(),
  currency: z.string(),
  /** When it was paid, or given back. */
  paid_at: z.string(),
  transaction_id: z.string(),
  /** `not-told`: nothing was written about it; `nothing_moved`: recorded, and the CRM still shows it as open. */
  state: z.enum(states),
  /** Why, in the CRM's words or ours. */
  why: z.string(),
  /** A record may still be on its way, so nobody should make a second one. */
  is_yours: z.boolean(),
});
export type Unrecorded = z.infer<typeof Unrecorded>;

/** GET and PUT /api/write-back: the account's setting, and a page of the list, the newest one without `before`. */
export const WriteBack = z.object({
  is_on: z.boolean(),
  /** The installation asks the CRM for the scopes that it takes. */
  is_offered: z.boolean(),
  /** The account's grant has them. */
  is_granted: z.boolean(),
  /** Of an account that is on; empty: nothing stands in the way. */
  trouble: z.enum(['', 'not_allowed', 'cannot']),
  /** In the CRM's words. */
  said: z.string(),
  recorded: z.number(),
  /** Of this page, newest first. */
  unrecorded: z.array(Unrecorded),
  /** How many payments this page looked at. */
  looked_at: z.number(),
  /** For `before` of the page after it; null: there are no earlier payments. */
  next: z.nullable(z.string()),
});
export type WriteBack = z.infer<typeof WriteBack>;

/** Parameters of GET /api/write-back. `before`: from `next` of the page before; `format=csv` answers all of the list. */
export const WriteBackQuery = z.object({
  before: z.optional(
    z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/, { error: 'The page begins where the one before it ended.' })),
  ),
  format: z._default(z.enum(['json', 'csv'], { error: 'The format must be json or csv.' }), 'json'),
});

/** PUT /api/write-back. */
export const WriteBackBody = z.strictObject({ is_on: z.boolean() });
export type WriteBackBody = z.input<typeof WriteBackBody>;

/** PUT /api/write-back/payments/:id: somebody recorded an entry of the list in the CRM, a payment or a refund. */
export const ByHandBody = z.strictObject({ note });
export type ByHandBody = z.input<typeof ByHandBody>;
