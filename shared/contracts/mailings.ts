import * as z from 'zod/mini';

/** Payment links for the payers of many invoices at once. Times are ISO instants. */

export const MOST_LINKS = 500;

/** Why an invoice of a mailing got no mail. */
export const leftOutWhys = [
  'paid',
  'submitted',
  'not-payable-online',
  'nothing-to-pay',
  'amount-unreadable',
  'amount-changed',
  'being-revoked',
  'paying',
  'released',
  'not-now',
  'no-address',
  'bad-address',
  'bounced',
  'suppressed',
  'complained',
  'just-mailed',
  'invoice-full',
  'day-full',
  'gone',
  'refused',
  'stopped',
  'too-late',
] as const;
export type LeftOutWhy = (typeof leftOutWhys)[number];

export const MailingInvoice = z.object({
  id: z.string(),
  number: z.string(),
  /** `sending`: the mail service has yet to take it. */
  state: z.enum(['waiting', 'sending', 'sent', 'left-out']),
  why: z.nullable(z.enum(leftOutWhys)),
  /** When it came to this state. */
  at: z.string(),
});
export type MailingInvoice = z.infer<typeof MailingInvoice>;

export const Mailing = z.object({
  id: z.string(),
  asked_at: z.string(),
  /** How long it can be taken back yet (ms); the screen's clock may differ from ours. */
  starts_in_ms: z.number(),
  is_over: z.boolean(),
  is_stopped: z.boolean(),
  /** In the order in which they go out. */
  invoices: z.array(MailingInvoice),
});
export type Mailing = z.infer<typeof Mailing>;

/** GET and POST /api/mailings, DELETE /api/mailings/:id: the newest one; null: there was none. */
export const MailingReply = z.object({ mailing: z.nullable(Mailing) });
export type MailingReply = z.infer<typeof MailingReply>;
