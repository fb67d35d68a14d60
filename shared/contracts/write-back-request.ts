import * as z from 'zod/mini';
import { note } from './reconciliation-request.ts';

/** Parameters of GET /api/write-back. `before`: from `next` of the page before; `format=csv` answers all of the list. */
export const WriteBackQuery = z.object({
  before: z.optional(
    z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/, { error: 'The page begins where the one before it ended.' })),
  ),
  format: z._default(z.enum(['json', 'csv'], { error: 'The format must be json or csv.' }), 'json'),
});

/** PUT /api/write-back. */
export const WriteBackBody = z.strictObject({ is_on: z.boolean() });
export type WriteBackBody = z.input<typeof WriteBackBody>;

/** PUT /api/write-back/payments/:id: somebody recorded an entry of the list in the CRM, a payment or a refund. */
export const ByHandBody = z.strictObject({ note });
export type ByHandBody = z.input<typeof ByHandBody>;
