import {
  FooterTextBody,
  FooterTextReply,
  InvoicePreviewReply,
  SignatureBody,
  SignatureReply,
} from '#shared/contracts/lists/invoice-preview';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { payPath } from '#shared/paths';
import { describeUnpayableCurrency } from '#shared/text/staff-words';
import type { Deps } from '#worker/deps';
import {
  extendMerchantPayLink,
  revokeMerchantPayLink,
  type UndoOutcome,
  undoMerchantRevocation,
} from '#worker/domain/pay-links/merchant-pay-link';
import { setFooterText, viewFooterText } from '#worker/domain/preview/present';
import { dropSignature, readSavedSignature, saveSignature } from '#worker/domain/preview/signature';
import { viewInvoice } from '#worker/domain/preview/view-invoice';
import { apiError } from '#worker/http/reply/errors';
import { type C, png, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The body limit in bytes, for a 200 kB signature in base64. */
const MAX_SIGNATURE_BODY = 280_000;

/** Routes for a single invoice of a merchant: its preview, pay link, signature and footer text. */
export const singleInvoiceRoutes: Routes = {
  'GET /api/invoices/:id': route({
    access: 'staff or holder of a pay link',
    summary: 'Show the full invoice to staff',
    answers: { 200: InvoicePreviewReply },
    errors: [503],
    handle: getPreview,
  }),
  'POST /api/invoices/:id/link': route({
    access: 'staff: collect',
    summary: 'Create or extend the payment link of an invoice',
    answers: { 200: PayLinkReply, 202: PayLinkReply },
    errors: [409, 503],
    handle: postLink,
  }),
  'DELETE /api/invoices/:id/link': route({
    access: 'staff: collect',
    summary: 'Revoke and replace the payment link of an invoice',
    answers: { 200: PayLinkReply, 202: PayLinkReply },
    errors: [409, 503],
    handle: deleteLink,
  }),
  'DELETE /api/invoices/:id/link/revocation': route({
    access: 'staff: collect',
    summary: 'Cancel the revocation of a payment link',
    answers: { 200: PayLinkReply, 202: PayLinkReply },
    errors: [409, 503],
    handle: deleteRevocation,
  }),
  'GET /api/invoices/:id/signature': route({
    access: 'staff',
    summary: 'Show the signature saved with an invoice',
    answers: { 200: png },
    handle: getSignature,
  }),
  'PUT /api/invoices/:id/signature': route({
    access: 'staff: collect',
    summary: 'Save a signature with an invoice',
    bodyLimit: MAX_SIGNATURE_BODY,
    body: { readByHandler: SignatureBody },
    answers: { 200: SignatureReply },
    errors: [503],
    handle: putSignature,
  }),
  'DELETE /api/invoices/:id/signature': route({
    access: 'staff: collect',
    summary: 'Delete the signature saved with an invoice',
    answers: { 200: SignatureReply },
    handle: deleteSignature,
  }),
  'GET /api/token/footer-text': route({
    access: 'staff: oversee',
    summary: 'Show the footer text of invoices',
    answers: { 200: FooterTextReply },
    handle: async ({ c, deps, merchant }) => c.json({ footer_text: await viewFooterText(deps, merchant) }),
  }),
  'PUT /api/token/footer-text': route({
    access: 'staff: administer',
    summary: 'Set the footer text of invoices',
    stepUp: true,
    body: { readByHandler: FooterTextBody },
    answers: { 200: FooterTextReply },
    errors: [409],
    handle: putFooterText,
  }),
};

const idOf = (c: C) => c.req.param('id') ?? '';
const invoiceNotFound = (c: C) => apiError(c, 404, 'not-found', 'No invoice found');

async function getPreview({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const view = await viewInvoice(deps, merchant, idOf(c));
  switch (view.kind) {
    case 'preview':
      c.header(listHeaders.asOf, view.asOf);
      if (view.isStale) c.header(listHeaders.isStale, 'true');
      return c.json(view.preview);
    case 'not-found':
      return invoiceNotFound(c);
    case 'crm-unavailable':
      return replyCrmUnavailable(c);
  }
}

async function postLink({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return linkReply(c, deps, await extendMerchantPayLink(deps, merchant, idOf(c)));
}

async function deleteLink({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return linkReply(c, deps, await revokeMerchantPayLink(deps, merchant, idOf(c)));
}

async function deleteRevocation({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return linkReply(c, deps, await undoMerchantRevocation(deps, merchant, idOf(c)));
}

function linkReply(c: C, deps: Deps, outcome: UndoOutcome): Response {
  switch (outcome.kind) {
    case 'link': {
      const { payId, endsAt, revokeAt } = outcome.link;
      const reply: PayLinkReply = {
        id: payId,
        url: `${deps.settings.APP_URL}${payPath(payId)}`,
        ends_at: new Date(endsAt).toISOString(),
        ...(revokeAt === undefined ? {} : { revoked_at: new Date(revokeAt).toISOString() }),
      };
      return c.json(reply, revokeAt === undefined ? 200 : 202);
    }
    case 'too-late':
      return apiError(c, 409, 'conflict', 'It is too late: the old link no longer works.');
    case 'not-found':
      return invoiceNotFound(c);
    case 'not-payable-online':
      return apiError(c, 409, 'not-payable-online', describeUnpayableCurrency(outcome.currency));
    case 'crm-unavailable':
      return replyCrmUnavailable(c);
  }
}

function replyCrmUnavailable(c: C): Response {
  c.header('retry-after', '30');
  return apiError(c, 503, 'crm-unavailable', 'The CRM is not answering. Please try again.');
}

async function putSignature({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const body = await readBody(c, SignatureBody);
  if (body === 'unreadable') return apiError(c, 400, 'bad-request', 'The request could not be read.');
  const outcome = await saveSignature(deps, merchant, idOf(c), body?.signature ?? '');
  switch (outcome.kind) {
    case 'kept':
      return c.json({ signature_saved_at: new Date(outcome.at).toISOString() } satisfies SignatureReply);
    case 'bad-signature':
      return apiError(c, 422, 'invalid', outcome.message, { fields: ['signature'] });
    case 'not-found':
      return invoiceNotFound(c);
    case 'crm-unavailable':
      return replyCrmUnavailable(c);
  }
}

async function getSignature({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const png = await readSavedSignature(deps, merchant, idOf(c));
  if (!png) return apiError(c, 404, 'not-found', 'No signature is saved with this invoice.');
  return c.body(png, 200, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cache-control': 'private, no-store',
  });
}

async function deleteSignature({ c, deps, merchant }: StaffRequest): Promise<Response> {
  if (!(await dropSignature(deps, merchant, idOf(c)))) return invoiceNotFound(c);
  return c.json({ signature_saved_at: null } satisfies SignatureReply);
}

async function putFooterText({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const body = await readBody(c, FooterTextBody);
  if (body === 'unreadable') return apiError(c, 400, 'bad-request', 'The request could not be read.');
  if (!body) return apiError(c, 422, 'invalid', 'Please enter a footer text.', { fields: ['footer_text'] });
  const outcome = await setFooterText(deps, merchant, body.footer_text);
  switch (outcome.kind) {
    case 'set':
      return c.json({ footer_text: outcome.footerText } satisfies FooterTextReply);
    case 'invalid':
      return apiError(c, 422, 'invalid', outcome.message, { fields: ['footer_text'] });
    case 'no-merchant':
      return apiError(c, 409, 'conflict', 'Please sign up a merchant account first.');
  }
}

/** Returns the parsed body, null if the JSON has another shape, or `unreadable` if it is not JSON. */
async function readBody<T>(
  c: C,
  schema: { safeParse(value: unknown): { data?: T } },
): Promise<T | null | 'unreadable'> {
  try {
    return schema.safeParse(JSON.parse(await c.req.text())).data ?? null;
  } catch {
    return 'unreadable';
  }
}
