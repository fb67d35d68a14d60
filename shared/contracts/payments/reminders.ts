import * as z from 'zod/mini';
import { MailDelivery } from '../lists/lists.ts';

/** Responses of the reminder calls. */

/** `step`: a step of the schedule, or the default one. `day`: the sending day, as stated in the text. */
const Mail = z.object({
  step: z.number(),
  day: z.string(),
  to: z.string(),
  number: z.string(),
  subject: z.string(),
  greeting: z.string(),
  what: z.string(),
});

/** GET and PUT /api/reminders. */
export const Reminders = z.object({
  is_on: z.boolean(),
  /** The current steps, or the last ones if off. */
  steps: z.array(z.number()),
  /** Example values from a real invoice; null if none is open. */
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

/** GET /api/reminders/forecast: number of reminders on the next working day, and the first 20 of them. */
export const Forecast = z.object({
  day: z.string(),
  before: z.number(),
  on: z.number(),
  after: z.number(),
  /** `id`: the CRM's id of the invoice. */
  first: z.array(z.object({ id: z.string(), number: z.string(), customer: z.string(), step: z.number() })),
});
export type Forecast = z.infer<typeof Forecast>;

export const TestSent = z.object({ to: z.string() });

/**
 * Calls about reminders of open invoices. Steps are days after the due date, negative before it; days are YYYY-MM-DD.
 */

/** Minimum number of days between two reminders of an invoice. */
export const MIN_GAP_DAYS = 7;

export const MAX_STEPS = 4;
export const MAX_STEP_DAYS = 90;

const Step = z.int().check(z.minimum(-MAX_STEP_DAYS), z.maximum(MAX_STEP_DAYS));
const Steps = z.array(Step).check(
  z.maxLength(MAX_STEPS),
  z.refine((steps) => new Set(steps).size === steps.length, { error: 'Two reminders are on the same day.' }),
);

/** PUT /api/reminders. An empty list of steps switches reminders off. */
export const RemindersBody = z.object({ steps: Steps });
export type RemindersBody = z.input<typeof RemindersBody>;

/** GET /api/reminders/forecast?steps=-3,0,7. */
export const ForecastQuery = z.object({
  steps: z.pipe(
    z.pipe(
      z.string().check(z.maxLength(40), z.regex(/^(-?\d{1,3}(,-?\d{1,3})*)?$/)),
      z.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    ),
    Steps,
  ),
});

export const reminderTimings = ['before', 'on', 'after'] as const;
export type ReminderTiming = (typeof reminderTimings)[number];

export const timingOf = (step: number): ReminderTiming => (step < 0 ? 'before' : step === 0 ? 'on' : 'after');

/** The steps offered by default. */
export const DEFAULT_STEPS: Record<ReminderTiming, number> = { before: -3, on: 0, after: 7 };

/** POST /api/reminders/test. */
export const ReminderTestBody = z.object({ when: z.enum(reminderTimings) });
export type ReminderTestBody = z.input<typeof ReminderTestBody>;

/** PUT /api/invoices/:id/reminders. */
export const InvoiceRemindersBody = z.object({ is_excluded: z.boolean() });
export type InvoiceRemindersBody = z.input<typeof InvoiceRemindersBody>;

/** Responses of the reminder calls for one invoice. */

/**
 * Reasons why no reminder is scheduled, most important first. `none-left`: all steps are past or too close to another
 * reminder.
 */
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

/** GET and PUT /api/invoices/:id/reminders. Times are ISO. */
export const InvoiceReminders = z.object({
  is_on: z.boolean(),
  is_excluded: z.boolean(),
  /** Time at which the payer unsubscribed, or null. */
  stopped_at: z.nullable(z.string()),
  /** Reminders accepted by the mail service. */
  last: z.nullable(z.object({ at: z.string(), times: z.number(), delivery: MailDelivery })),
  /** Scheduled time; the conditions are checked again before sending. */
  next_at: z.nullable(z.string()),
  /** Null if a reminder is scheduled. */
  why_none: z.nullable(z.enum(noReminders)),
});
export type InvoiceReminders = z.infer<typeof InvoiceReminders>;
