import * as z from 'zod/mini';
import { merchantLimits } from '../limits.ts';

/** How staff know what they decide. */
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
export type ResolutionBody = z.input<typeof ResolutionBody>;
export type ReversalResolutionBody = z.input<typeof ReversalResolutionBody>;
