import * as z from 'zod/mini';
import { Approval } from './proof.ts';

/** What pages know by type alone: here, since a page keeps each schema of a file that it reads. */

/**
 * POST /api/approvals/{id}: a refusal answers 200 and the approval; an approval gives the money back and answers as
 * POST /api/payments/{id}/reversals does.
 */
export const DecidedReply = z.object({ approval: Approval });
export type DecidedReply = z.infer<typeof DecidedReply>;
