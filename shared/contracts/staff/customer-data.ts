import * as z from 'zod/mini';

/**
 * GET /api/customers/{contact id}/data: a summary of the data stored about a person, found by the customer's email
 * address; '' if the CRM knows none.
 */
export const CustomerData = z.object({
  email: z.string(),
  places: z.array(
    z.object({
      label: z.string(),
      rows: z.number(),
      /** Number of rows that may be erased now. */
      erasable: z.number(),
      /** Reason why the other rows may not be erased. */
      stays: z.string(),
    }),
  ),
});
export type CustomerData = z.infer<typeof CustomerData>;

/** POST /api/customers/{contact id}/data/erasure. `email`: the address, to prevent an accidental erasure. */
export const EraseCustomerBody = z.object({
  email: z.string('Type the email address.').check(z.maxLength(320)),
});
export type EraseCustomerBody = z.output<typeof EraseCustomerBody>;
