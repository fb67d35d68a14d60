import * as z from 'zod/mini';

export const ResolutionBody = z.strictObject({
  verdict: z.enum(['charged', 'not-charged']),
  note: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please say how you know.'),
      z.maxLength(500, 'Please keep the note within 500 characters.'),
    ),
});
