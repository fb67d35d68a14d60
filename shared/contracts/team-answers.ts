import * as z from 'zod/mini';

/** What pages know by type alone: here, since a page keeps each schema of a file that it reads. */

/** DELETE /api/team/{id}: a member, whose sessions end, or an invitation, by its own id. */
export const RemovedReply = z.object({ id: z.string() });
export type RemovedReply = z.infer<typeof RemovedReply>;

/** PUT /api/team/refund-limit */
export const RefundLimitReply = z.object({ refund_limit: z.nullable(z.string()) });
export type RefundLimitReply = z.infer<typeof RefundLimitReply>;

/** DELETE /api/sessions, this one too, and DELETE /api/sessions/{id} */
export const EndedSessionsReply = z.object({ ended: z.number() });
export type EndedSessionsReply = z.infer<typeof EndedSessionsReply>;
