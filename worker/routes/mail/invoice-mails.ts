import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { mailPayLink, mailReceipt } from '#worker/domain/preview/mail';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Mails to a customer about one invoice, sent by staff. Both take the CRM's id or a pay id. */
export function invoiceMailRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/invoices/sendPaymentLink/:id', { POST: merchantOnly(depsOf, postPaymentLink) });
  route(app, '/api/invoices/sendPaymentSuccessEmail/:id', { POST: merchantOnly(depsOf, postReceipt) });
}

const idOf = (c: C) => c.req.param('id') ?? '';

const postPaymentLink = async (c: C, deps: Deps, merchant: Merchant) =>
  replyToMail(c, await mailPayLink(deps, merchant, idOf(c)));

const postReceipt = async (c: C, deps: Deps, merchant: Merchant) =>
  replyToMail(c, await mailReceipt(deps, merchant, idOf(c)));
