import * as z from 'zod/mini';
import { Part } from './part.ts';

/** Body of POST /api/terminals/{terminalId}/sales. */
export const StartSaleBody = z.object({
  /** The CRM's id of the invoice, or one of its pay ids. */
  invoiceId: z
    .string({ error: 'Please choose an invoice.' })
    .check(z.regex(/^[\w-]{1,64}$/, { error: 'Please choose an invoice.' })),
  /** Made by the screen once per press of the button; the same id is the same sale. */
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  /** The amount that the screen showed ("184.00"); if the CRM's differs by now, the sale is not sent. */
  amountShown: z.optional(z.string().check(z.maxLength(20))),
  part: z.optional(Part),
});

export type StartSaleBody = z.output<typeof StartSaleBody>;
