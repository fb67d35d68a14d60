import { ItemisedReceiptBody } from '#shared/contracts/lists/invoice-preview';
import { SendMailReply } from '#shared/contracts/lists/lists';
import { MailElsewhereBody } from '#shared/contracts/lists/mail-request';
import { PaymentNotices, PaymentNoticesBody } from '#shared/contracts/staff/account-settings';
import { mailLimits } from '#shared/limits';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import { handleMailWebhook } from '#worker/domain/mail/delivery';
import { choosePaymentNotices, viewPaymentNotices } from '#worker/domain/mail/payment-notices';
import { mailItemisedReceipt, mailPayLink, mailReceipt, mailToTypedAddress } from '#worker/domain/preview/mail-invoice';
import { apiError } from '#worker/http/reply/errors';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type C, noBody, type PublicRequest, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for emails from staff to a customer about one invoice. All of them accept the CRM's id or a pay id. */
export const invoiceMailRoutes: Routes = {
  'POST /api/invoices/sendPaymentLink/:id': route({
    access: 'staff: collect',
    summary: 'Email the payment link of an invoice',
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 422, 429, 503],
    handle: postPaymentLink,
  }),
  'POST /api/invoices/sendPaymentSuccessEmail/:id': route({
    access: 'staff: collect',
    summary: 'Email the receipt of a paid invoice',
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 422, 429, 503],
    handle: postReceipt,
  }),
  'POST /api/invoices/:id/emails': route({
    access: 'staff: configure',
    summary: 'Email the payment link or the receipt of an invoice to another address',
    body: MailElsewhereBody,
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 429, 503],
    handle: postElsewhere,
  }),
  'POST /api/invoices/:id/itemised-receipt': route({
    access: 'staff: collect',
    summary: 'Email an itemized receipt of a paid invoice',
    body: ItemisedReceiptBody,
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 429, 503],
    handle: postItemisedReceipt,
  }),
};

const idOf = (c: C) => c.req.param('id') ?? '';

async function postPaymentLink({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return replyToMail(c, await mailPayLink(deps, merchant, idOf(c)));
}

async function postReceipt({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return replyToMail(c, await mailReceipt(deps, merchant, idOf(c)));
}

async function postElsewhere({ c, deps, merchant, body }: StaffRequest<typeof MailElsewhereBody>): Promise<Response> {
  return replyToMail(c, await mailToTypedAddress(deps, merchant, idOf(c), body));
}

async function postItemisedReceipt({
  c,
  deps,
  merchant,
  body,
}: StaffRequest<typeof ItemisedReceiptBody>): Promise<Response> {
  return replyToMail(c, await mailItemisedReceipt(deps, merchant, idOf(c), body.requestId));
}

const MAIL_WEBHOOK_PATH = '/api/webhooks/mail';

/**
 * The route for delivery webhooks of the mail service. The signature covers the raw bytes, so they are read before
 * parsing.
 */
export const mailWebhookRoutes: Routes = {
  'POST /api/webhooks/mail': route({
    access: 'provider webhook',
    summary: 'Receive a delivery event from the email service',
    body: { media: 'application/json' },
    bodyLimit: mailLimits.webhook,
    answers: { 200: noBody },
    errors: [400, 401],
    handle: postMailEvent,
  }),
};

async function postMailEvent({ c, deps }: PublicRequest): Promise<Response> {
  const header = (name: string) => c.req.header(`svix-${name}`) ?? '';
  const signatureHeaders = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
  const outcome = await handleMailWebhook(deps, signatureHeaders, new Uint8Array(await c.req.arrayBuffer()));
  switch (outcome) {
    case 'heard':
      return c.body(null, 200);
    case 'off':
      return apiError(c, 404, 'not-found', 'Not found.');
    case 'forged':
      await countAnonymousRefusal(deps, 'webhook.forged', MAIL_WEBHOOK_PATH);
      return apiError(c, 401, 'unauthorized', 'The signature is not valid.');
    case 'unreadable':
      return apiError(c, 400, 'bad-request', 'The request could not be read.');
  }
}

/** Routes for the logged-in user's own setting for emails about paid pay links. */
export const noticeRoutes: Routes = {
  'GET /api/payment-notices': route({
    access: 'staff',
    summary: 'Show your payment notification setting',
    answers: { 200: PaymentNotices },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewPaymentNotices(deps, caller)),
  }),
  'PUT /api/payment-notices': route({
    access: 'staff',
    summary: 'Change your payment notification setting',
    body: PaymentNoticesBody,
    answers: { 200: PaymentNotices },
    handle: putNotices,
  }),
};

async function putNotices({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof PaymentNoticesBody>): Promise<Response> {
  const view = await choosePaymentNotices(deps, caller, body.how);
  return view ? c.json(view) : apiError(c, 422, 'invalid', 'No email can be sent to your own address.');
}
