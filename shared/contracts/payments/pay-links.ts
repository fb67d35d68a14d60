import * as z from 'zod/mini';

/**
 * POST and DELETE /api/invoices/{CRM id}/link: the live link, made, or about to be replaced (202). DELETE .../link/revocation
 * takes that back; 409: it is too late. POST answers 409 `not-payable-online` where the currency cannot be paid online.
 */
export const PayLinkReply = z.object({
  id: z.string(),
  url: z.string(),
  ends_at: z.string(),
  /** Its revocation was asked for, and can be taken back until then. */
  revoked_at: z.optional(z.string()),
});
export type PayLinkReply = z.infer<typeof PayLinkReply>;

const Sum = z.object({ count: z.number(), amount: z.string() });

/** GET /api/owed: what stands over the open invoices and over the customers, of all of them and in US dollars. */
export const Owed = z.object({
  /** Today where the business is. */
  day: z.string(),
  overdue: z.extend(Sum, {
    /** By days after the due date, the youngest first; `from` and `to` are due dates, the oldest without `from`. */
    ages: z.array(z.extend(Sum, { days: z.string(), from: z.nullable(z.string()), to: z.string() })),
  }),
  due: Sum,
  /** How many are paid, and what was taken here in the last 30 days, less what went back. */
  paid: Sum,
  /** How many invoices there are, in whatever state. */
  all: z.number(),
  /** How many there are, how many owe something, and how many something that is overdue. */
  customers: z.object({ all: z.number(), owes: z.number(), overdue: z.number() }),
});
export type Owed = z.infer<typeof Owed>;

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

/** The caller's own id of what it asks for, a UUID, so that asking again is asking once. */
export const requestId = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

/** POST /api/mailings: `id` is the caller's own, so that asking again is asking once; `invoices`: the CRM's ids. */
export const MailingBody = z.object({
  id: requestId,
  invoices: z.array(z.string().check(z.regex(/^\d{1,18}$/))).check(
    z.minLength(1),
    z.maxLength(MOST_LINKS),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'An invoice is there twice.' }),
  ),
});
export type MailingBody = z.input<typeof MailingBody>;
