import * as z from 'zod/mini';

/**
 * GET of /api/support-view, and the answer to POST (lets the operator look) and DELETE (ends that). `ends_at`: an ISO 8601
 * instant, until when; null: the operator may not look.
 */
export const SupportViewReply = z.object({
  ends_at: z.nullable(z.string()),
  /** Whether this person may grant and end it. */
  may_change: z.boolean(),
  /** Whether it is the operator who asks. */
  is_support: z.boolean(),
});
export type SupportViewReply = z.infer<typeof SupportViewReply>;
