import * as z from 'zod/mini';

const note = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please say how you know.'),
    z.maxLength(500, 'Please keep the note within 500 characters.'),
  );

export const ResolutionBody = z.strictObject({ verdict: z.enum(['charged', 'not-charged']), note });
export const ReversalResolutionBody = z.strictObject({ verdict: z.enum(['happened', 'not-happened']), note });
