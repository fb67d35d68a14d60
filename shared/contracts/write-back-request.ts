import * as z from 'zod/mini';
import { note } from './reconciliation-request.ts';

/** PUT /api/write-back. */
export const WriteBackBody = z.strictObject({ is_on: z.boolean() });
export type WriteBackBody = z.input<typeof WriteBackBody>;

/** PUT /api/write-back/payments/:id: somebody recorded it in the CRM. */
export const ByHandBody = z.strictObject({ note });
export type ByHandBody = z.input<typeof ByHandBody>;
