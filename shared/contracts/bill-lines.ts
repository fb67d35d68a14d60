import * as z from 'zod/mini';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** A line of a bill; `total` of all its pieces, decimal text. Null where the CRM has none. */
export const BillLine = z.object({ name: z.string(), quantity: z.nullable(z.string()), total: z.nullable(z.string()) });
export type BillLine = z.infer<typeof BillLine>;

/** What is on a bill. `items` are the first of `count`; `total` is what was billed. */
export type BillLines = { count: number; total: string | null; items: BillLine[] };
