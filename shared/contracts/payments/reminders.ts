import * as z from 'zod/mini';
import { MailDelivery } from '../lists/lists.ts';

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

/** Calls about reminders of open invoices. Steps are days after the due date, negative before it; days are YYYY-MM-DD. */

export const MOST_STEPS = 4;
export const FARTHEST_STEP = 90;

const Step = z.int().check(z.minimum(-FARTHEST_STEP), z.maximum(FARTHEST_STEP));
const Steps = z.array(Step).check(
  z.maxLength(MOST_STEPS),
  z.refine((steps) => new Set(steps).size === steps.length, { error: 'Two reminders are on the same day.' }),
);

/** PUT /api/reminders: no steps switch reminders off. */
export const RemindersBody = z.object({ steps: Steps });
export type RemindersBody = z.input<typeof RemindersBody>;

/** GET /api/reminders/forecast?steps=-3,0,7: the days that a person tries. */
export const ForecastQuery = z.object({
  steps: z.pipe(
    z.pipe(
      z.string().check(z.maxLength(40), z.regex(/^(-?\d{1,3}(,-?\d{1,3})*)?$/)),
      z.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    ),
    Steps,
  ),
});

export const whens = ['before', 'on', 'after'] as const;
export type When = (typeof whens)[number];

/** POST /api/reminders/test. */
export const ReminderTestBody = z.object({ when: z.enum(whens) });
export type ReminderTestBody = z.input<typeof ReminderTestBody>;

/** PUT /api/invoices/:id/reminders. */
export const InvoiceRemindersBody = z.object({ is_excluded: z.boolean() });
export type InvoiceRemindersBody = z.input<typeof InvoiceRemindersBody>;

/** What a call about the reminders of one invoice answers. */

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
