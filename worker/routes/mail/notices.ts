import { PaymentNotices } from '#shared/contracts/payment-notices';
import { PaymentNoticesBody } from '#shared/contracts/payment-notices-request';
import { choosePaymentNotices, viewPaymentNotices } from '#worker/domain/mail/notices';
import { apiError } from '#worker/http/reply/errors';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Whether who is logged in gets a mail when a pay link is paid. */
export const noticeRoutes: Routes = {
  'GET /api/payment-notices': route({
    who: 'staff',
    summary: 'Show your payment notification setting',
    answers: { 200: PaymentNotices },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewPaymentNotices(deps, you)),
  }),
  'PUT /api/payment-notices': route({
    who: 'staff',
    summary: 'Change your payment notification setting',
    body: PaymentNoticesBody,
    answers: { 200: PaymentNotices },
    handle: putNotices,
  }),
};

async function putNotices({
  c,
  deps,
  merchant: you,
  body,
}: StaffRequest<typeof PaymentNoticesBody>): Promise<Response> {
  const view = await choosePaymentNotices(deps, you, body.how);
  return view ? c.json(view) : apiError(c, 422, 'invalid', 'No email can be sent to your own address.');
}
