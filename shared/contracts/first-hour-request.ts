import * as z from 'zod/mini';

/** PUT /api/first-hour: what it names is decided. */
export const FirstHourBody = z
  .object({
    /** Put the list away for everybody, or bring it back. */
    is_ended: z.optional(z.boolean()),
    has_seen_mails: z.optional(z.literal(true)),
  })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'Nothing is to be changed.',
    }),
  );
export type FirstHourBody = z.input<typeof FirstHourBody>;
