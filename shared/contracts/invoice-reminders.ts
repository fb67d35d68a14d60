import * as z from 'zod/mini';
import { MailDelivery } from './lists.ts';

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
