import * as z from 'zod/mini';

/** Of an invoice that is paid in parts, the amount that is paid now. The server holds it against what is owed. */
export const Part = z.object(
  {
    amount: z
      .string({ error: 'The amount is not a text.' })
      .check(z.maxLength(20, { error: 'The amount is too long.' })),
  },
  { error: 'The part is not valid.' },
);
