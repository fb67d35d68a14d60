import * as z from 'zod/mini';

/** GET /api/takings?date=YYYY-MM-DD (default today): card and bank takings of a day, from our ledger. */

const Sum = z.object({ count: z.number(), amount: z.string() });

export const LookAlike = z.object({
  card: z.string(),
  /** Amount of each payment. */
  amount: z.string(),
  at: z.array(z.string()),
  invoices: z.array(z.string()),
  /** Card reader of the first payment; empty if online. */
  terminal: z.string(),
  customer: z.string(),
});
export type LookAlike = z.infer<typeof LookAlike>;

export const OpenOutcome = z.object({
  invoice_number: z.string(),
  amount: z.string(),
  at: z.string(),
  terminal: z.string(),
  customer: z.string(),
});
export type OpenOutcome = z.infer<typeof OpenOutcome>;

export const Takings = z.object({
  date: z.string(),
  business: z.object({ name: z.string(), address: z.string() }),
  /** Sales less refunds. */
  net: z.string(),
  /** Unvoided payments booked on that day, without unknown outcomes. */
  sales: Sum,
  /** Refunds and returns of that day; the amount is never negative. */
  refunds: Sum,
  declined: z.number(),
  /** Net of the same weekday a week before; null without transactions. */
  week_before: z.nullable(z.string()),
  /** The sales by payment method, largest first. */
  methods: z.array(z.object({ name: z.string(), count: z.number(), amount: z.string() })),
  /** Sales of the same amount to the same card, each within ten minutes of the previous one. */
  look_alikes: z.array(LookAlike),
  /** Payments of that day with an unknown outcome, which are not in any sum. */
  unknown: z.array(OpenOutcome),
  /**
   * Invoices paid on that day according to the CRM, without a payment here; null if none. `amount` omits unreadable
   * amounts; null if all are unreadable.
   */
  paid_elsewhere: z.nullable(z.object({ count: z.number(), amount: z.nullable(z.string()) })),
  /** Time and person of the last batch close on that day, or null. */
  closed: z.nullable(z.object({ at: z.string(), by: z.string() })),
});
export type Takings = z.infer<typeof Takings>;
