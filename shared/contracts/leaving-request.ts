import * as z from 'zod/mini';

/** What an administrator sends who ends the account. `business`: its name, so that a slip closes nothing. */
export const ClosingBody = z.object({
  closes_on: z.string('Choose a day.').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.')),
  business: z.string('Type the name of the business.').check(z.maxLength(300)),
});
export type ClosingBody = z.output<typeof ClosingBody>;
