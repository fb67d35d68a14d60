import { ItemisedReceiptBody } from '#shared/contracts/itemised-receipt-request';
import { SendMailReply } from '#shared/contracts/lists';
import { mailItemisedReceipt, mailPayLink, mailReceipt } from '#worker/domain/preview/mail';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Mails to a customer about one invoice, sent by staff. All take the CRM's id or a pay id. */
export const invoiceMailRoutes: Routes = {
  'POST /api/invoices/sendPaymentLink/:id': route({
    who: 'staff: collect',
    summary: 'Email the payment link of an invoice',
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 422, 429, 503],
    handle: postPaymentLink,
  }),
  'POST /api/invoices/sendPaymentSuccessEmail/:id': route({
    who: 'staff: collect',
    summary: 'Email the receipt of a paid invoice',
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 422, 429, 503],
    handle: postReceipt,
  }),
  'POST /api/invoices/:id/itemised-receipt': route({
    who: 'staff: collect',
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

async function postItemisedReceipt({
  c,
  deps,
  merchant,
  body,
}: StaffRequest<typeof ItemisedReceiptBody>): Promise<Response> {
  return replyToMail(c, await mailItemisedReceipt(deps, merchant, idOf(c), body.requestId));
}
