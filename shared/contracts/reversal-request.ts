import * as z from 'zod/mini';
import { merchantLimits } from '../limits.ts';
import { typedCents } from '../money.ts';

const MISSING = 'Please give a reason.';

/** Body of POST /api/payments/{id}/reversals. */
export const ReversalBody = z.object({
  kind: z.enum(['void', 'refund'], { error: 'The request could not be read.' }),
  /** For a refund only; a void always takes the full payment. */
  amount: z.optional(
    z.pipe(
      z
        .string({ error: 'Please enter an amount.' })
        .check(z.refine((text) => (typedCents(text.trim()) ?? 0) > 0, { error: 'Please enter an amount like 71.10.' })),
      z.transform((text) => typedCents(text.trim()) ?? 0),
    ),
  ),
  reason: z.string({ error: MISSING }).check(
    z.trim(),
    z.minLength(1, { error: MISSING }),
    z.maxLength(merchantLimits.reason, { error: `Please keep the reason to ${merchantLimits.reason} characters.` }),
    z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, {
      error: 'The reason contains characters that are not allowed.',
    }),
  ),
  /** Made once per form, so that a repeated request is the same reversal. */
  requestId: z
    .string({ error: 'The request could not be read.' })
    .check(z.regex(/^[\w-]{16,64}$/, { error: 'The request could not be read.' })),
});
