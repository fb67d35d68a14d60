import * as z from 'zod/mini';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** A line of a bill; `total` of all its pieces, decimal text. Null where the CRM has none. */
export type BillLine = { name: string; quantity: string | null; total: string | null };

/** What is on a bill. `items` are the first of `count`; `total` is what was billed. */
export type BillLines = { count: number; total: string | null; items: BillLine[] };
