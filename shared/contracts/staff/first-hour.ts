import * as z from 'zod/mini';

/**
 * Calls of a clinic's setup checklist: the steps from consent to the first payment, derived from stored records. Times
 * are ISO 8601 in UTC, amounts such as "$20.00". Errors have the body of error.ts.
 */

/** In display order. */
export const firstHourSteps = ['papers', 'connect', 'application', 'terminals', 'test-link', 'staff', 'mails'] as const;
export type FirstHourStep = (typeof firstHourSteps)[number];

const Waits = z.enum(['you', 'provider', 'crm']);
/** The party that must act next for a step to continue. */
export type Waits = z.infer<typeof Waits>;

const Step = z.object({
  name: z.enum(firstHourSteps),
  is_done: z.boolean(),
  /** Null if the step is done or refused, or if an earlier step comes first. */
  waits_for: z.nullable(Waits),
  /** Start of the wait; null if unknown. */
  since: z.nullable(z.string()),
});

/** GET and PUT /api/first-hour. */
export const FirstHour = z.object({
  /** True if an administrator has dismissed the list permanently. */
  is_ended: z.boolean(),
  /** True if the caller may dismiss it, send the test link and decide. */
  is_admin: z.boolean(),
  steps: z.array(Step),
  sync: z.object({
    /** Synced invoices, and the total (`of`); null before the first query of the CRM. */
    invoices: z.number(),
    of: z.nullable(z.number()),
    /** Duration of the first sync in whole seconds; null if in progress, or if a later sync replaced the record. */
    took_s: z.nullable(z.number()),
    /** Estimated remaining time in whole seconds; null if too early or finished. */
    left_s: z.nullable(z.number()),
  }),
  application: z.nullable(z.enum(['applied', 'pended', 'in-review', 'approved', 'declined', 'boarded'])),
  terminals: z.number(),
  test: z.object({
    /** Recipient of a test link: the caller's own address; empty if unknown. */
    to: z.string(),
    /**
     * The invoice for the test link: a small open one, if possible with the caller's own address. `receipt`: the
     * recipient of the receipt by email once it is paid.
     */
    invoice: z.nullable(
      z.object({
        number: z.string(),
        amount: z.string(),
        customer: z.string(),
        receipt: z.enum(['caller', 'customer', 'none']),
      }),
    ),
    sent_at: z.nullable(z.string()),
    /** The clinic's first payment, or null. */
    paid: z.nullable(z.object({ amount: z.string(), at: z.string() })),
  }),
  staff: z.object({ members: z.number(), invited: z.number() }),
});
export type FirstHour = z.infer<typeof FirstHour>;

/**
 * POST /api/first-hour/test-link: the one field that the checklist uses of the response, a SendMailReply (lists.ts).
 */
export const TestLinkSent = z.object({ to: z.string() });

/** GET /api/first-hour/mails: previews of customer emails as plain text; empty without a suitable invoice. */
export const FirstHourMails = z.object({
  mails: z.array(z.object({ kind: z.enum(['pay-link', 'receipt']), subject: z.string(), text: z.string() })),
});
export type FirstHourMails = z.infer<typeof FirstHourMails>;

/** PUT /api/first-hour: sets the given fields. */
export const FirstHourBody = z
  .object({
    /** Dismisses the list for all staff, or restores it. */
    is_ended: z.optional(z.boolean()),
    has_seen_mails: z.optional(z.literal(true)),
  })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'Nothing is to be changed.',
    }),
  );
export type FirstHourBody = z.input<typeof FirstHourBody>;
