import * as z from 'zod/mini';

/** GET /api/takings?date=YYYY-MM-DD, without one today: what a day of the clinic took by card and bank, by our own books. */

const Sum = z.object({ count: z.number(), amount: z.string() });

export const LookAlike = z.object({
  card: z.string(),
  /** Of each of them. */
  amount: z.string(),
  at: z.array(z.string()),
  invoices: z.array(z.string()),
  /** Where the first of them was taken; empty: online. */
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
  /** Payments booked on that day that were not voided; one of an unknown outcome is not among them. */
  sales: Sum,
  /** What went back on that day, refunds and returns; the amount is never negative. */
  refunds: Sum,
  declined: z.number(),
  /** Net of the same weekday a week before; null: nothing happened on it. */
  week_before: z.nullable(z.string()),
  /** The sales by how they were paid, most first. */
  methods: z.array(z.object({ name: z.string(), count: z.number(), amount: z.string() })),
  /** Sales of one amount to one card, each within ten minutes of the one before. */
  look_alikes: z.array(LookAlike),
  /** Payments of that day of which nobody knows yet whether they went through: in none of these sums. */
  unknown: z.array(OpenOutcome),
  /**
   * Invoices that the CRM says were paid on that day and that took no payment here; null: it says so of none.
   * The amount leaves out those whose own cannot be read; null: none can.
   */
  paid_elsewhere: z.nullable(z.object({ count: z.number(), amount: z.nullable(z.string()) })),
  /** The last batch that was closed here on that day: when, and by whom. */
  closed: z.nullable(z.object({ at: z.string(), by: z.string() })),
});
export type Takings = z.infer<typeof Takings>;
