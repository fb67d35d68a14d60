import * as z from 'zod/mini';

/**
 * POST /api/invoices/{pay id}/opened, sent by the pay page's own script after a person's input or 10 seconds in sight;
 * 204 whether or not it counted. `load`: the same for each try of one load of the page.
 */
export const OpenedBody = z.object({ load: z.string().check(z.regex(/^[\w-]{8,64}$/)) });
export type OpenedBody = z.infer<typeof OpenedBody>;
