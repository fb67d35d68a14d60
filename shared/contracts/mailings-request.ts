import * as z from 'zod/mini';
import { MOST_LINKS } from './mailings.ts';
import { requestId } from './request-id.ts';

/** POST /api/mailings: `id` is the caller's own, so that asking again is asking once; `invoices`: the CRM's ids. */
export const MailingBody = z.object({
  id: requestId,
  invoices: z.array(z.string().check(z.regex(/^\d{1,18}$/))).check(
    z.minLength(1),
    z.maxLength(MOST_LINKS),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'An invoice is there twice.' }),
  ),
});
export type MailingBody = z.input<typeof MailingBody>;
