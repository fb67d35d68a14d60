import * as z from 'zod/mini';
import type { BillLine } from './payment-answers.ts';

/** GET and PUT /api/bill-lines: whether payers of the account see what is on their bill. */
export const BillLinesSetting = z.object({ is_on: z.boolean() });
export type BillLinesSetting = z.infer<typeof BillLinesSetting>;

/** The lines of a bill and its sums, so that it adds up: `total` less `paidBefore` was asked for. */
export type BillLines = {
  count: number;
  /** The billed amount. */
  total: string | null;
  /** The first of `count`. */
  items: BillLine[];
  /** Paid already, by the CRM. */
  paidBefore?: string;
};
