import * as z from 'zod/mini';
import { MailDelivery } from './lists.ts';

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

/** Why no reminder of an invoice is to come, the weightiest first; the last: each of the plan is over, or too near to another. */
export const noReminders = [
  'not-payable',
  'closing',
  'disconnected',
  'off',
  'excluded',
  'stopped',
  'no-mail-arrives',
  'no-address',
  'payment',
  'no-due-date',
  'none-left',
] as const;
export type NoReminder = (typeof noReminders)[number];

/** GET and PUT /api/invoices/:id/reminders. Instants are ISO. */
export const InvoiceReminders = z.object({
  is_on: z.boolean(),
  is_excluded: z.boolean(),
  /** The payer stopped them. */
  stopped_at: z.nullable(z.string()),
  /** Those that the mail service took. */
  last: z.nullable(z.object({ at: z.string(), times: z.number(), delivery: MailDelivery })),
  /** By the plan; whether anything speaks against it is looked at once more when it is sent. */
  next_at: z.nullable(z.string()),
  /** Null where there is a next one. */
  why_none: z.nullable(z.enum(noReminders)),
});
export type InvoiceReminders = z.infer<typeof InvoiceReminders>;

export const TestSent = z.object({ to: z.string() });
