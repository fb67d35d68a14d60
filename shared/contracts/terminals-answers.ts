import * as z from 'zod/mini';

/** What pages know by type alone: here, since a page keeps each schema of a file that it reads. */

/** Added to the error of a card reader that is busy, or of an invoice that is at one. */
export const BusyReply = z.object({
  busy: z.object({
    terminal_id: z.string(),
    terminal_name: z.string(),
    sale_id: z.string(),
    started_by: z.string(),
    started_at: z.string(),
    invoice_number: z.string(),
    amount: z.string(),
    currency: z.string(),
  }),
});
export type BusyReply = z.infer<typeof BusyReply>;
