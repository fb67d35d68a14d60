import * as z from 'zod/mini';

/** What calls about reminders answer. */

const Mail = z.object({
  to: z.string(),
  number: z.string(),
  subject: z.string(),
  greeting: z.string(),
  what: z.string(),
});

/** GET and PUT /api/reminders. */
export const Reminders = z.object({
  is_on: z.boolean(),
  /** Those that are on, or were last. */
  steps: z.array(z.number()),
  /** What a payer would read, of a real invoice; null: none is open. */
  sample: z.nullable(
    z.object({
      amount: z.string(),
      reach: z.string(),
      stop: z.string(),
      mails: z.object({ before: Mail, on: Mail, after: Mail }),
    }),
  ),
});
export type Reminders = z.infer<typeof Reminders>;

/** GET /api/reminders/forecast: how many invoices would be reminded on the next working day. */
export const Forecast = z.object({ day: z.string(), before: z.number(), on: z.number(), after: z.number() });
export type Forecast = z.infer<typeof Forecast>;

export const TestSent = z.object({ to: z.string() });
