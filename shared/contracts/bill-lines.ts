import * as z from 'zod/mini';
import type { BillLine } from './payment-answers.ts';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** What is on a bill, so that it adds up: `total` less `paidBefore` was asked for. */
export type BillLines = {
  count: number;
  /** What was billed. */
  total: string | null;
  /** The first of `count`. */
  items: BillLine[];
  /** What the CRM had as paid already. */
  paidBefore?: string;
};
