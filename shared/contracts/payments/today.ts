import * as z from 'zod/mini';

const Invoice = z.object({ id: z.string(), number: z.string() });

const Sum = z.object({ count: z.number(), amount: z.string() });

/** What a person has to look at. */
export const TodayNeed = z.object({
  /**
   * `unknown`: nobody knows yet whether it was charged, or given back (`reversal`); `undecided`: a person has to find
   * out. `no-invoice` and `differs`: the gateway shows what our books do not. `alike`: payments of one amount by one card
   * within ten minutes. `approval`: a refund or void that waits for a second person. `frozen`: the CRM has changed the
   * amount of an invoice in parts. `unreadable`: the CRM names no amount of an open invoice that can be read.
   */
  kind: z.enum([
    'unknown',
    'undecided',
    'reversal',
    'alike',
    'no-invoice',
    'differs',
    'approval',
    'frozen',
    'unreadable',
  ]),
  /** Null: it cannot be read. */
  amount: z.nullable(z.string()),
  invoice: z.nullable(Invoice),
  customer: z.string(),
  card: z.string(),
  /** The card reader; null for an online payment. */
  terminal: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** When it happened, oldest first: one moment, of payments that look alike one for each. */
  at: z.array(z.string()),
});
export type TodayNeed = z.infer<typeof TodayNeed>;

export const TodayMovement = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'refund', 'void', 'return']),
  amount: z.string(),
  invoice: Invoice,
  customer: z.string(),
  /** "Visa 1111"; empty for a bank account. */
  card: z.string(),
  terminal: z.nullable(z.string()),
  at: z.string(),
});
export type TodayMovement = z.infer<typeof TodayMovement>;

/** GET /api/today: the head of the dashboard. Money is in US dollars. */
export const Today = z.object({
  at: z.string(),
  day: z.string(),
  /** Payments of this local day that were not voided, less what was given back today. What is unknown is not in it. */
  taken: z.string(),
  payments: z.number(),
  refunds: Sum,
  /** The same weekday before, up to the same time of its clocks; null where nothing was taken here yet on that day. */
  before: z.nullable(z.string()),
  /** The last 14 local days, today last. */
  days: z.array(z.object({ day: z.string(), amount: z.string() })),
  owed: Sum,
  /** Of what is owed. `oldest_days`: since the earliest due date; null without any. */
  overdue: z.extend(Sum, { oldest_days: z.nullable(z.number()) }),
  to_check: Sum,
  /** The oldest first; five at most of each kind. */
  needs: z.array(TodayNeed),
  /** Open invoices whose payment link came back, because no mail arrives at the address; left out where none did. */
  came_back: z.optional(z.object({ count: z.number(), first: Invoice })),
  /** The last five movements of today, newest first. */
  latest: z.array(TodayMovement),
});
export type Today = z.infer<typeof Today>;
