import type { Context } from 'hono';
import { ItemisedReceiptBody } from '#shared/contracts/itemised-receipt-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { mailItemisedReceipt, mailPayLink, mailReceipt } from '#worker/domain/preview/mail';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Mails to a customer about one invoice, sent by staff. All take the CRM's id or a pay id. */
export function invoiceMailRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/invoices/sendPaymentLink/:id', { POST: merchantOnly(depsOf, postPaymentLink) });
  route(app, '/api/invoices/sendPaymentSuccessEmail/:id', { POST: merchantOnly(depsOf, postReceipt) });
  app.use(
    '/api/invoices/:id/itemised-receipt',
    limitBody(1000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/invoices/:id/itemised-receipt', { POST: merchantOnly(depsOf, postItemisedReceipt) });
}

const idOf = (c: C) => c.req.param('id') ?? '';

const postPaymentLink = async (c: C, deps: Deps, merchant: Merchant) =>
  replyToMail(c, await mailPayLink(deps, merchant, idOf(c)));

const postReceipt = async (c: C, deps: Deps, merchant: Merchant) =>
  replyToMail(c, await mailReceipt(deps, merchant, idOf(c)));

async function postItemisedReceipt(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body = await readJson(c, ItemisedReceiptBody);
  if ('refusal' in body) return body.refusal;
  return replyToMail(c, await mailItemisedReceipt(deps, merchant, idOf(c), body.data.requestId));
}
