import type { Context } from 'hono';
import { FooterTextBody, SignatureBody } from '#shared/contracts/invoice-request';
import { listHeaders } from '#shared/contracts/list-values';
import type { PayLinkReply } from '#shared/contracts/pay-link';
import type { FooterTextReply, SignatureReply } from '#shared/contracts/preview';
import { payPath } from '#shared/paths';
import { notPaidOnline } from '#shared/words/amount-words';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import {
  givePayLink,
  type KeepOutcome,
  keepMerchantPayLink,
  revokeMerchantPayLink,
} from '#worker/domain/pay-links/merchant-pay-link';
import { setFooterText } from '#worker/domain/preview/footer';
import { dropSignature, keepSignature, readKeptSignature } from '#worker/domain/preview/signature';
import { viewInvoice } from '#worker/domain/preview/view-invoice';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, route, routeOne } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** In bytes: a signature of 200 kB in base64. */
const MAX_SIGNATURE_BODY = 280_000;

/** One invoice of a merchant: preview, pay link, signature and footer text. */
export function oneInvoiceRoutes(app: App, depsOf: (c: C) => Deps): void {
  const tooLarge = (c: Context) => apiError(c, 413, 'too-large', 'The request is too large.');
  app.use('/api/invoices/:id/signature', limitBody(MAX_SIGNATURE_BODY, tooLarge));
  app.use('/api/token/footer-text', limitBody(10_000, tooLarge));
  // app.ts forwards only requests with a bearer; without one, it is a payer's.
  routeOne(app, 'GET', '/api/invoices/:id', merchantOnly(depsOf, getPreview));
  route(app, '/api/invoices/:id/link', {
    POST: merchantOnly(depsOf, postLink),
    DELETE: merchantOnly(depsOf, deleteLink),
  });
  route(app, '/api/invoices/:id/link/revocation', { DELETE: merchantOnly(depsOf, deleteRevocation) });
  route(app, '/api/invoices/:id/signature', {
    GET: merchantOnly(depsOf, getSignature),
    PUT: merchantOnly(depsOf, putSignature),
    DELETE: merchantOnly(depsOf, deleteSignature),
  });
  route(app, '/api/token/footer-text', { PUT: merchantOnly(depsOf, putFooterText) });
}

const idOf = (c: C) => c.req.param('id') ?? '';
const noInvoice = (c: C) => apiError(c, 404, 'not-found', 'No invoice found');

async function getPreview(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const view = await viewInvoice(deps, merchant, idOf(c));
  switch (view.kind) {
    case 'preview':
      c.header(listHeaders.asOf, view.asOf);
      if (view.isStale) c.header(listHeaders.isStale, 'true');
      return c.json(view.preview);
    case 'not-found':
      return noInvoice(c);
    case 'crm-unavailable':
      return crmUnavailable(c);
  }
}

const postLink = async (c: C, deps: Deps, merchant: Merchant) =>
  linkReply(c, deps, await givePayLink(deps, merchant, idOf(c)));

const deleteLink = async (c: C, deps: Deps, merchant: Merchant) =>
  linkReply(c, deps, await revokeMerchantPayLink(deps, merchant, idOf(c)));

const deleteRevocation = async (c: C, deps: Deps, merchant: Merchant) =>
  linkReply(c, deps, await keepMerchantPayLink(deps, merchant, idOf(c)));

function linkReply(c: C, deps: Deps, outcome: KeepOutcome): Response {
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
      return noInvoice(c);
    case 'not-payable-online':
      return apiError(c, 409, 'not-payable-online', notPaidOnline(outcome.currency));
    case 'crm-unavailable':
      return crmUnavailable(c);
  }
}

function crmUnavailable(c: C): Response {
  c.header('retry-after', '30');
  return apiError(c, 503, 'crm-unavailable', 'The CRM is not answering. Please try again.');
}

async function putSignature(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body = await readBody(c, SignatureBody);
  if (body === 'unreadable') return apiError(c, 400, 'bad-request', 'The request could not be read.');
  const outcome = await keepSignature(deps, merchant, idOf(c), body?.signature ?? '');
  switch (outcome.kind) {
    case 'kept':
      return c.json({ signature_saved_at: new Date(outcome.at).toISOString() } satisfies SignatureReply);
    case 'bad-signature':
      return apiError(c, 422, 'invalid', outcome.message, { fields: ['signature'] });
    case 'not-found':
      return noInvoice(c);
    case 'crm-unavailable':
      return crmUnavailable(c);
  }
}

async function getSignature(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const png = await readKeptSignature(deps, merchant, idOf(c));
  if (!png) return apiError(c, 404, 'not-found', 'No signature is kept with this invoice.');
  return c.body(png, 200, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cache-control': 'private, no-store',
  });
}

async function deleteSignature(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  if (!(await dropSignature(deps, merchant, idOf(c)))) return noInvoice(c);
  return c.json({ signature_saved_at: null } satisfies SignatureReply);
}

async function putFooterText(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
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

/** The body, or null where it is JSON of another shape. */
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
