import * as z from 'zod/mini';

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
