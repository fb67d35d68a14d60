import * as z from 'zod/mini';
import type { BillLine } from './payment-answers.ts';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** What is on a bill. `items` are the first of `count`; `total` is what was billed. */
export type BillLines = { count: number; total: string | null; items: BillLine[] };
