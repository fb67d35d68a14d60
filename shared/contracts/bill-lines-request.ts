import * as z from 'zod/mini';

/** PUT /api/bill-lines. */
export const BillLinesBody = z.strictObject({ is_on: z.boolean() });
export type BillLinesBody = z.input<typeof BillLinesBody>;
