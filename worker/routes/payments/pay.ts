import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod/mini';
import { PaymentStatus, PublicInvoice, TakePaymentReply } from '#shared/contracts/payments/payment-answers';
import { missingFields, OpenedBody, TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { receiptPath } from '#shared/paths';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { receiptMailId } from '#worker/data/mail/outbox';
import { sendMail } from '#worker/domain/mail/send';
import { publicInvoice, viewLink } from '#worker/domain/pay-page/view-payable';
import { recordPageOpening, viewPayment } from '#worker/domain/pay-page/view-payment';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { type PayOutcome, paidTransaction, providerError, settleAndMail } from '#worker/domain/payments/pay-outcome';
import { takePayment } from '#worker/domain/payments/take-payment';
import { sessionIfAny } from '#worker/http/guards/browser-session';
import { requestedLanguage } from '#worker/http/read/browser';
import { apiError } from '#worker/http/reply/errors';
import {
  AMOUNT_CHANGED_TEXT,
  AMOUNT_UNAVAILABLE_TEXT,
  CLOSING_TEXT,
  LINK_EXPIRED_TEXT,
  PAUSED_TEXT,
  refuse,
  refuseMissing,
  replyToRefusedPayment,
} from '#worker/http/reply/payment-refusals';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** The body limit in bytes, for a signature of 200 kB in base64 and the fields. */
const MAX_BODY_BYTES = 290_000;

/** The public routes for one invoice, by its pay id. */
export const payRoutes: Routes = {
  'GET /api/invoices/:payId': route({
    access: 'holder of a pay link',
    summary: 'Show an invoice',
    answers: { 200: PublicInvoice },
    errors: [409, 410, 503],
    handle: getInvoice,
  }),
  'GET /api/invoices/:payId/payment': route({
    access: 'holder of a pay link',
    summary: 'Show the status of the latest payment on an invoice',
    query: z.object({ attempt: z.optional(z.string()) }),
    answers: { 200: PaymentStatus },
    handle: getPayment,
  }),
  'POST /api/invoices/:payId/opened': route({
    access: 'holder of a pay link',
    summary: 'Record that a payment page was viewed',
    body: { readByHandler: OpenedBody },
    answers: { 204: noBody },
    handle: postOpened,
  }),
  'POST /api/invoices/takePaymentSDK/:payId': route({
    access: 'holder of a pay link',
    summary: 'Pay an invoice',
    bodyLimit: MAX_BODY_BYTES,
    refuse,
    body: { readByHandler: TakePaymentBody },
    answers: { 200: TakePaymentReply, 202: TakePaymentReply },
    errorBody: TakePaymentReply,
    errors: [400, 402, 403, 404, 409, 410, 413, 415, 422, 429, 503],
    handle: postPayment,
  }),
};

const payIdOf = (c: C) => c.req.param('payId') ?? '';

async function getInvoice({ c, deps: requestDeps }: PublicRequest): Promise<Response> {
  const deps = depsOfCapability(requestDeps, payIdOf(c));
  if (!deps) return apiError(c, 404, 'not-found', 'No invoice found');
  const link = await viewLink(deps, payIdOf(c));
  switch (link.kind) {
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No invoice found');
    case 'ended':
    case 'revoked':
      return apiError(c, 410, 'link-ended', LINK_EXPIRED_TEXT);
    case 'not-payable-online':
      return apiError(c, 409, 'not-payable-online', 'This invoice cannot be paid online.');
    case 'changed':
      return apiError(c, 409, 'amount-unclear', AMOUNT_CHANGED_TEXT);
    case 'paused':
      return apiError(c, 503, 'paused', PAUSED_TEXT);
    case 'closing':
      return apiError(c, 503, 'closing', CLOSING_TEXT);
    case 'no-terminal':
    case 'catching-up':
      c.header('retry-after', '300');
      return apiError(c, 503, 'gateway-unavailable', 'We cannot take payments right now.');
    case 'released':
      return apiError(c, 409, 'amount-unclear', 'An earlier payment may still go through. Please try again tomorrow.');
    case 'unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'crm-unavailable', AMOUNT_UNAVAILABLE_TEXT);
    default:
      if (link.dueCheck) runToCompletion(c, inquirePaymentStatus(deps, link.dueCheck));
      return c.json(publicInvoice(link.view, link.invoice));
  }
}

async function getPayment({ c, deps: requestDeps }: PublicRequest): Promise<Response> {
  const deps = depsOfCapability(requestDeps, payIdOf(c));
  // Only a page that is waiting for its payment sends this request.
  const payment = deps && (await viewPayment(deps, payIdOf(c), c.req.query('attempt')));
  if (!payment) return apiError(c, 404, 'not-found', 'No invoice found');
  if (payment.dueCheck) runToCompletion(c, settleAndMail(deps, payment.dueCheck));
  return c.json(payment.status);
}

/**
 * Records that a payer views the pay page. The response does not depend on the outcome, so it reveals nothing about the
 * invoice. Views by staff of the business do not count.
 */
async function postOpened({ c, deps: requestDeps }: PublicRequest): Promise<Response> {
  const deps = depsOfCapability(requestDeps, payIdOf(c));
  if (!deps) return apiError(c, 404, 'not-found', 'No invoice found');
  const staff = await sessionIfAny(c, requestDeps);
  const outcome = await recordPageOpening(deps, payIdOf(c), await readJson(c), staff);
  if (outcome === 'invalid') return apiError(c, 422, 'invalid', 'The request could not be read.');
  return c.body(null, 204);
}

async function postPayment({ c, deps: requestDeps }: PublicRequest): Promise<Response> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    return refuse(c, 415, 'wrong-type', 'Please send the form from the payment page.');
  }
  const json = await readJson(c);
  if (json === undefined)
    return refuse(c, 400, 'bad-request', 'The request could not be read. You have not been charged.');
  const missing = missingFields(json);
  if (missing.length > 0) return refuseMissing(c, missing);
  const body = TakePaymentBody.safeParse(json);
  if (!body.success) {
    const fields = [...new Set(body.error.issues.map((issue) => String(issue.path[0])))];
    return refuse(c, 422, 'invalid', body.error.issues[0]?.message ?? 'The form is not valid.', { fields });
  }
  const deps = depsOfCapability(requestDeps, payIdOf(c));
  if (!deps) return replyToPayment(c, { kind: 'not-found' });
  const language = requestedLanguage(c);
  const payer = { clientIp: c.req.header('cf-connecting-ip') ?? null, ...(language && { language }) };
  const outcome = await takePayment(deps, payIdOf(c), body.data, payer);
  if (outcome.kind === 'approved') runToCompletion(c, sendMail(deps, receiptMailId(outcome.attempt.id)));
  return replyToPayment(c, outcome);
}

async function readJson(c: C): Promise<Record<string, unknown> | undefined> {
  try {
    const json: unknown = JSON.parse(await c.req.text());
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const PENDING_TEXT = 'Your payment is being confirmed. Please do not pay again.';

/** Maps outcomes to replies, together with `payment-refusals.ts`. */
async function replyToPayment(c: C, outcome: PayOutcome): Promise<Response> {
  switch (outcome.kind) {
    case 'approved':
      return sendReply(c, 200, {
        status: 'success',
        payload: { payloadType: 'transaction', transaction: paidTransaction(outcome.attempt) },
        receiptUrl: receiptPath(outcome.attempt.receiptId),
      });
    case 'submitted':
      return sendReply(c, 202, {
        status: 'pending',
        payload: { payloadType: 'transaction', transaction: paidTransaction(outcome.attempt) },
        error: { code: 'pending', message: 'Payment submitted.' },
        receiptUrl: receiptPath(outcome.attempt.receiptId),
      });
    case 'pending':
      return sendReply(c, 202, {
        status: 'pending',
        payload: { payloadType: 'pending' },
        error: { code: 'pending', message: PENDING_TEXT },
        ...('own' in outcome && outcome.own && { receiptUrl: receiptPath(outcome.own.receiptId) }),
      });
    case 'declined': {
      const error = providerError(outcome.attempt);
      return refuse(c, 402, 'declined', error['error-message'], { error });
    }
    default:
      return replyToRefusedPayment(c, outcome);
  }
}

const sendReply = (c: C, status: ContentfulStatusCode, reply: Omit<TakePaymentReply, 'code'>) =>
  c.json({ code: String(status), ...reply } satisfies TakePaymentReply, status);
