import * as z from 'zod/mini';

const NOT_VALID = 'The part is not valid.';

/** Of an invoice that is paid in parts, the amount that is paid now. The server holds it against what is owed. */
export const Part = z.object(
  { amount: z.string({ error: NOT_VALID }).check(z.maxLength(20, { error: NOT_VALID })) },
  { error: NOT_VALID },
);
