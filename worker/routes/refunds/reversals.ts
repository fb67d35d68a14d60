import * as z from 'zod/mini';
import {
  ReopenInvoiceReply,
  ReversalBody,
  ReversalReply,
  ReversalView,
  ShownReversal,
} from '#shared/contracts/payments/batches';
import { Approvals, WaitingReply } from '#shared/contracts/staff/proof';
import { AskApprovalBody, DecidedReply, DecisionBody } from '#shared/contracts/staff/proof-request';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { AMOUNT_UNREADABLE } from '#shared/text/staff-words';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { describeMissingRight, describeOwnLimit } from '#worker/domain/merchants/view-merchant';
import { decide, requesterRefusalText, viewApprovals } from '#worker/domain/refunds/approvals';
import { type ReversePaymentOutcome, reversePayment } from '#worker/domain/refunds/refund';
import { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
import { presentReversal, viewReversal } from '#worker/domain/refunds/view-reversal';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for reversals of payments, approvals by a second person, and reopened invoices. */
export const reversalRoutes: Routes = {
  'GET /api/payments/:id/reversal': route({
    access: 'staff',
    summary: 'Show what can be refunded of a payment',
    answers: { 200: ReversalView },
    errors: [503],
    handle: getReversal,
  }),
  'POST /api/payments/:id/reversals': route({
    access: 'staff: refund',
    summary: 'Void or refund a payment',
    stepUp: true,
    body: ReversalBody,
    answers: { 200: ReversalReply, 202: [ReversalReply, WaitingReply] },
    errors: [402, 409, 503],
    errorFields: { 402: z.object({ reversal: ShownReversal }), 409: z.object({ reversal: ShownReversal }) },
    handle: postReversal,
  }),
  'GET /api/approvals': route({
    access: 'staff: oversee',
    summary: 'List approval requests for refunds and voids',
    answers: { 200: Approvals },
    handle: getApprovals,
  }),
  'POST /api/approvals': route({
    access: 'staff: refund',
    summary: 'Request approval of a refund or void',
    body: AskApprovalBody,
    answers: { 200: ReversalReply, 202: [ReversalReply, WaitingReply] },
    errors: [402, 409, 503],
    errorFields: { 402: z.object({ reversal: ShownReversal }), 409: z.object({ reversal: ShownReversal }) },
    handle: postApproval,
  }),
  'POST /api/approvals/:id': route({
    access: 'staff: refund',
    summary: 'Approve or refuse a refund or void',
    stepUp: true,
    body: DecisionBody,
    answers: { 200: [ReversalReply, DecidedReply], 202: [ReversalReply, WaitingReply] },
    errors: [402, 409, 503],
    errorFields: { 402: z.object({ reversal: ShownReversal }), 409: z.object({ reversal: ShownReversal }) },
    handle: postDecision,
  }),
  'POST /api/invoices/:id/collect-again': route({
    access: 'staff: collect',
    summary: 'Reopen an invoice after its payment was reversed',
    answers: { 200: ReopenInvoiceReply },
    errors: [409],
    handle: postCollectAgain,
  }),
};

const sendAll = async (deps: Deps, ids: string[]) => {
  for (const id of ids) await sendMail(deps, id);
};

const idOf = (c: C) => c.req.param('id') ?? '';
const paymentNotFound = (c: C) => apiError(c, 404, 'not-found', 'Payment not found.');

function replyGatewayUnavailable(c: C, deps: Deps): Response {
  c.header('retry-after', '30');
  const message = `${deps.gateway.displayName} is not answering. Nothing was refunded. Please try again.`;
  return apiError(c, 503, 'gateway-unavailable', message);
}

async function getReversal({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const result = await viewReversal(deps, merchant, idOf(c));
  if (result.kind === 'not-found') return paymentNotFound(c);
  return result.kind === 'unavailable' ? replyGatewayUnavailable(c, deps) : c.json(result.view);
}

async function postReversal({ c, deps, merchant, body }: StaffRequest<typeof ReversalBody>): Promise<Response> {
  const { kind, amount, reason, requestId } = body;
  if (kind === 'refund' && amount === undefined)
    return apiError(c, 422, 'invalid', 'Please enter an amount.', { fields: ['amount'] });
  const request = { kind, amountCents: amount ?? null, reason, requestKey: requestId };
  return replyToReversal(c, deps, merchant, await reversePayment(deps, merchant, idOf(c), request));
}

/** Maps each outcome to a response, including outcomes of reversals that a second person approved. */
async function replyToReversal(
  c: C,
  deps: Deps,
  merchant: Merchant,
  outcome: ReversePaymentOutcome,
): Promise<Response> {
  switch (outcome.kind) {
    case 'reversal':
      return reversalReply(c, deps, outcome);
    case 'waiting':
      runToCompletion(c, sendAll(deps, outcome.mailIds));
      return c.json(
        {
          state: 'waiting',
          id: outcome.id,
          message: 'A second person must approve this. Nothing was refunded yet.',
        } satisfies WaitingReply,
        202,
      );
    case 'not-offered':
      return apiError(c, 409, 'conflict', `${outcome.why} Nothing was refunded.`);
    case 'bad-amount':
      return apiError(
        c,
        422,
        'invalid',
        `Up to ${formatMoney(outcome.leftCents, ONLINE_CURRENCY)} is left of this payment.`,
        { fields: ['amount'] },
      );
    case 'above-allowance':
      return apiError(c, 403, 'forbidden', await describeOwnLimit(deps, merchant, outcome.allowedCents));
    case 'forbidden':
      return apiError(
        c,
        403,
        'forbidden',
        await describeMissingRight(deps, merchant, 'refund-any-amount', 'void or refund a payment'),
      );
    case 'not-found':
      return paymentNotFound(c);
    case 'unavailable':
      return replyGatewayUnavailable(c, deps);
  }
}

function reversalReply(
  c: C,
  deps: Deps,
  { reversal, attempt }: Extract<ReversePaymentOutcome, { kind: 'reversal' }>,
): Response {
  const { displayName } = deps.gateway;
  const view = presentReversal(reversal);
  const money = formatMoney(reversal.amountCents, attempt.currency);
  const isVoid = reversal.kind === 'void';
  const reply = (message: string): ReversalReply => ({ reversal: view, message });
  switch (view.state) {
    case 'done':
      return c.json(reply(`${isVoid ? 'Voided' : 'Refunded'} ${money}. ${displayName} confirmed it.`));
    case 'under-way':
      return c.json(
        reply(`We do not know yet whether ${money} was refunded. Do not try again. We are asking ${displayName}.`),
        202,
      );
    case 'needs-a-person':
      return c.json(reply(`${displayName} reports two different outcomes. Someone must check it.`), 202);
    case 'refused':
      return apiError(
        c,
        402,
        'declined',
        `${displayName} refused the ${reversal.kind}: ${view.message || 'no reason was given'}. Nothing was refunded.`,
        { reversal: view },
      );
    case 'not-done':
      return apiError(c, 409, 'conflict', `The ${reversal.kind} did not reach ${displayName}. Nothing was refunded.`, {
        reversal: view,
      });
  }
}

const REOPEN_NOTICES = {
  payable: null,
  paid: 'The CRM shows this invoice as paid. Payers can pay it once it is open there.',
  submitted: 'A bank payment for this invoice is on its way.',
  'not-payable-online': 'This invoice is not open in the CRM. Payers can pay it once it is.',
  'amount-unreadable': `${AMOUNT_UNREADABLE} Payers can pay it once it can be read.`,
  'nothing-to-pay': 'This invoice has no balance in the CRM. Payers can pay it once it has one.',
} as const;

async function postCollectAgain({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const outcome = await reopenInvoice(deps, merchant, idOf(c));
  switch (outcome.kind) {
    case 'open':
      return c.json({
        collection: outcome.collection,
        notice: REOPEN_NOTICES[outcome.state],
      } satisfies ReopenInvoiceReply);
    case 'not-given-back':
      return apiError(c, 409, 'conflict', 'No payment of this invoice was refunded.');
    case 'not-now':
      return apiError(c, 409, 'conflict', 'An earlier payment of it may still be charged. Please try again tomorrow.');
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No invoice found');
  }
}

async function getApprovals({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  return c.json({ approvals: await viewApprovals(deps, caller) } satisfies Approvals);
}

async function postApproval({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof AskApprovalBody>): Promise<Response> {
  const { payment_id, kind, amount, reason, requestId } = body;
  if (kind === 'refund' && amount === undefined) return refuseInvalid(c, { amount: 'Please enter an amount.' });
  const request = { kind, amountCents: amount ?? null, reason, requestKey: requestId };
  return replyToReversal(c, deps, caller, await reversePayment(deps, caller, payment_id, request, 'ask'));
}

async function postDecision({ c, deps, merchant: caller, body }: StaffRequest<typeof DecisionBody>): Promise<Response> {
  const decision = await decide(deps, caller, c.req.param('id') ?? '', body.decision, body.note);
  switch (decision.kind) {
    case 'approved': {
      const reason = requesterRefusalText(decision.outcome);
      return reason
        ? apiError(c, 409, 'conflict', `${reason} Nothing was refunded.`)
        : replyToReversal(c, deps, caller, decision.outcome);
    }
    case 'refused':
      return c.json({ approval: decision.approval } satisfies DecidedReply);
    case 'own':
      return apiError(c, 403, 'forbidden', 'Someone else must approve your request.');
    case 'over':
      return apiError(c, 409, 'conflict', 'This request is no longer open.');
    case 'not-found':
      return apiError(c, 404, 'not-found', 'This request was not found.');
  }
}
