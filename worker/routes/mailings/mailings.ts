import { type Mailing, MailingBody, MailingReply, Owed } from '#shared/contracts/payments/pay-links';
import { requestMailing, stopOwnMailing, viewMailing } from '#worker/domain/mailings/mailing';
import { viewOpenInvoiceSummary } from '#worker/domain/pay-links/open-invoices';
import { apiError } from '#worker/http/reply/errors';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for outstanding amounts and for bulk mailings of payment links. */
export const mailingRoutes: Routes = {
  'GET /api/owed': route({
    access: 'staff',
    summary: 'Show outstanding and overdue totals',
    answers: { 200: Owed },
    handle: async ({ c, deps, merchant: { accountId } }) => c.json(await viewOpenInvoiceSummary(deps, accountId)),
  }),
  'GET /api/mailings': route({
    access: 'staff',
    summary: 'Show the latest bulk mailing of payment links',
    answers: { 200: MailingReply },
    handle: async ({ c, deps, merchant: caller }) => mailingReply(c, await viewMailing(deps, caller.accountId)),
  }),
  'POST /api/mailings': route({
    access: 'staff: collect',
    summary: 'Start a bulk mailing of payment links',
    body: MailingBody,
    bodyLimit: 16_000,
    answers: { 200: MailingReply },
    errors: [409],
    handle: postMailing,
  }),
  'DELETE /api/mailings/:id': route({
    access: 'staff: collect',
    summary: 'Stop a bulk mailing of payment links',
    answers: { 200: MailingReply },
    handle: async ({ c, deps, merchant: caller }) => {
      const mailing = await stopOwnMailing(deps, caller, c.req.param('id') ?? '');
      return mailing ? mailingReply(c, mailing) : apiError(c, 404, 'not-found', 'This mailing is not in progress.');
    },
  }),
};

const mailingReply = (c: C, mailing: Mailing | null) => c.json({ mailing } satisfies MailingReply);

async function postMailing({ c, deps, merchant: caller, body }: StaffRequest<typeof MailingBody>): Promise<Response> {
  const mailing = await requestMailing(deps, caller, body.id, body.invoices);
  if (mailing === 'busy')
    return apiError(c, 409, 'conflict', 'Links are being emailed now. Wait until that is done, or stop it.');
  return mailingReply(c, mailing);
}
