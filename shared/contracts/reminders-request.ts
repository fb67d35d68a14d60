import * as z from 'zod/mini';

/** What is asked of reminders. Steps are days after the due date, negative before it. */

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
