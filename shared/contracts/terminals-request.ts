import * as z from 'zod/mini';

/** Body of POST /api/terminals/{terminalId}/sales. */
export const StartSaleBody = z.object({
  /** The CRM's id of the invoice, or a pay id of it. */
  invoiceId: z
    .string({ error: 'Please choose an invoice.' })
    .check(z.regex(/^[\w-]{1,64}$/, { error: 'Please choose an invoice.' })),
  /** Made once per press of the button by the screen; the same key is the same sale. */
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  /** What the screen showed ("184.00"); where the CRM has another amount by now nothing is sent to the card reader. */
  amountShown: z.optional(z.string().check(z.maxLength(20))),
});

export type StartSaleBody = z.output<typeof StartSaleBody>;
