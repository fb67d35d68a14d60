import * as z from 'zod/mini';

const Invoice = z.object({ id: z.string(), number: z.string() });

const Sum = z.object({ count: z.number(), amount: z.string() });

/** An item that staff must check. */
export const TodayNeed = z.object({
  /**
   * `unknown`: a charge whose outcome is not known yet. `reversal`: a reversal whose outcome is not known yet.
   * `undecided`: staff must find out the outcome. `no-invoice`, `differs`: the gateway differs from our ledger.
   * `alike`: payments of the same amount by the same card within ten minutes. `approval`: a refund or void that awaits
   * a second person. `returned`: a bank payment of an invoice that is open again. `frozen`: the amount of an invoice in
   * parts has changed in the CRM. `unreadable`: the CRM has no readable amount for an open invoice.
   */
  kind: z.enum([
    'unknown',
    'undecided',
    'reversal',
    'alike',
    'no-invoice',
    'differs',
    'approval',
    'returned',
    'frozen',
    'unreadable',
  ]),
  /** Null if unreadable. */
  amount: z.nullable(z.string()),
  invoice: z.nullable(Invoice),
  customer: z.string(),
  card: z.string(),
  /** The card reader; null for an online payment. */
  terminal: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Time of the event, or of each payment that looks alike, oldest first. */
  at: z.array(z.string()),
});
export type TodayNeed = z.infer<typeof TodayNeed>;

export const TodayMovement = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'refund', 'void', 'return']),
  amount: z.string(),
  invoice: Invoice,
  /** The payer if the CRM links no customer. */
  customer: z.string(),
  /** The name that the payer entered; empty at the counter. */
  payer: z.string(),
  /** "Visa 1111"; empty for a bank account. */
  card: z.string(),
  terminal: z.nullable(z.string()),
  at: z.string(),
});
export type TodayMovement = z.infer<typeof TodayMovement>;

/** GET /api/today: the summary at the top of the dashboard. Money is in US dollars. */
export const Today = z.object({
  at: z.string(),
  day: z.string(),
  /** Unvoided payments of this local day, less today's refunds and returns. Excludes unknown outcomes. */
  taken: z.string(),
  payments: z.number(),
  refunds: Sum,
  /** Takings of the same weekday last week, up to the same local time; null if the first payment here was later. */
  before: z.nullable(z.string()),
  /** The last 14 local days, today last. */
  days: z.array(z.object({ day: z.string(), amount: z.string() })),
  /** The count of all open invoices; the amount is in US dollars and leaves out other currencies. */
  owed: Sum,
  /** Overdue part of `owed`. `oldest_days`: days since the earliest due date, or null. */
  overdue: z.extend(Sum, { oldest_days: z.nullable(z.number()) }),
  to_check: Sum,
  /** Oldest first, at most five of each kind. */
  needs: z.array(TodayNeed),
  /** Open invoices whose payment link email bounced; omitted if there are none. */
  came_back: z.optional(z.object({ count: z.number(), first: Invoice })),
  /** Today's last five payments and reversals, newest first. */
  latest: z.array(TodayMovement),
});
export type Today = z.infer<typeof Today>;
