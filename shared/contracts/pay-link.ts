import * as z from 'zod/mini';

/**
 * POST and DELETE /api/invoices/{CRM id}/link: the live link, made, or about to be replaced (202). DELETE .../link/revocation
 * takes that back; 409: it is too late. POST answers 409 `not-payable-online` where the currency cannot be paid online.
 */
export const PayLinkReply = z.object({
  id: z.string(),
  url: z.string(),
  ends_at: z.string(),
  /** Its revocation was asked for, and can be taken back until then. */
  revoked_at: z.optional(z.string()),
});
export type PayLinkReply = z.infer<typeof PayLinkReply>;
