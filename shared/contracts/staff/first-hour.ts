import * as z from 'zod/mini';

/**
 * Calls about a clinic's first hour: the steps from consent to the first payment, read from the books. Times are ISO 8601
 * instants in UTC, amounts such as "$20.00". Errors have the body of error.ts.
 */

/** In the order in which screens show them. */
export const firstHourSteps = ['papers', 'connect', 'application', 'terminals', 'test-link', 'staff', 'mails'] as const;
export type FirstHourStep = (typeof firstHourSteps)[number];

const Waits = z.enum(['you', 'provider', 'crm']);
/** Who has to do something next, so that a step goes on. */
export type Waits = z.infer<typeof Waits>;

const Step = z.object({
  name: z.enum(firstHourSteps),
  is_done: z.boolean(),
  /** Null: nobody, because it is done, was refused, or an earlier step comes first. */
  waits_for: z.nullable(Waits),
  /** Since when it waits; null where nothing tells. */
  since: z.nullable(z.string()),
});

/** GET /api/first-hour, and what PUT answers. */
export const FirstHour = z.object({
  /** An administrator has put the list away for good. */
  is_ended: z.boolean(),
  /** Whether the caller may put it away, send the test link and decide. */
  is_admin: z.boolean(),
  steps: z.array(Step),
  sync: z.object({
    /** Invoices that are here, and how many there are; null: the CRM was not asked yet. */
    invoices: z.number(),
    of: z.nullable(z.number()),
    /** Whole seconds that the first sync took; null: it is under way, or a later one has replaced what told it. */
    took_s: z.nullable(z.number()),
    /** Whole seconds that are probably left; null: too early to say, or it is over. */
    left_s: z.nullable(z.number()),
  }),
  application: z.nullable(z.enum(['applied', 'pended', 'in-review', 'approved', 'declined', 'boarded'])),
  terminals: z.number(),
  test: z.object({
    /** Where a test link goes: the caller's own address; empty where none is known. */
    to: z.string(),
    /** The open invoice whose link that would be: the smallest. */
    invoice: z.nullable(z.object({ number: z.string(), amount: z.string(), customer: z.string() })),
    sent_at: z.nullable(z.string()),
    /** The clinic's first payment. */
    paid: z.nullable(z.object({ amount: z.string(), at: z.string() })),
  }),
  staff: z.object({ members: z.number(), invited: z.number() }),
});
export type FirstHour = z.infer<typeof FirstHour>;

/** POST /api/first-hour/test-link: what the list reads of the answer, a SendMailReply of lists.ts. */
export const TestLinkSent = z.object({ to: z.string() });

/** GET /api/first-hour/mails: what customers would get, as plain text; none where there is nothing to write about yet. */
export const FirstHourMails = z.object({
  mails: z.array(z.object({ kind: z.enum(['pay-link', 'receipt']), subject: z.string(), text: z.string() })),
});
export type FirstHourMails = z.infer<typeof FirstHourMails>;

/** PUT /api/first-hour: what it names is decided. */
export const FirstHourBody = z
  .object({
    /** Put the list away for everybody, or bring it back. */
    is_ended: z.optional(z.boolean()),
    has_seen_mails: z.optional(z.literal(true)),
  })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'Nothing is to be changed.',
    }),
  );
export type FirstHourBody = z.input<typeof FirstHourBody>;
