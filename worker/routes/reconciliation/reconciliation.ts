import {
  BatchReconciliation,
  ReconciliationView,
  ResolutionBody,
  ResolutionReply,
  ReversalResolutionBody,
  ReversalResolutionReply,
  SetAsideBody,
  SetAsideReply,
} from '#shared/contracts/payments/reconciliation';
import { formatMoney } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import type { Deps } from '#worker/deps';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import { handleTransactionWebhook } from '#worker/domain/reconciliation/handle-transaction-webhook';
import { setAsideLookAlikes } from '#worker/domain/reconciliation/look-alikes';
import { reconcileAccount } from '#worker/domain/reconciliation/reconcile-accounts';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
import { viewBatchReconciliation, viewReconciliation } from '#worker/domain/reconciliation/view-reconciliation';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, noBody, type PublicRequest, type Routes, route, type StaffRequest } from '#worker/http/routes';

/**
 * Routes for differences between the gateway and our ledger, for staff decisions about them, and for the webhooks of
 * the gateway.
 */
export const reconciliationRoutes: Routes = {
  'POST /api/webhooks/transactions/:secret': route({
    access: 'provider webhook',
    summary: 'Receive a transaction event from the payment gateway',
    body: { media: 'application/json' },
    bodyLimit: 200_000,
    answers: { 204: noBody },
    handle: postTransaction,
  }),
  'GET /api/matching': route({
    access: 'staff',
    summary: 'Show reconciliation results',
    answers: { 200: ReconciliationView },
    handle: getMatching,
  }),
  'POST /api/matching': route({
    access: 'staff: reconcile',
    summary: 'Run reconciliation now',
    answers: { 200: ReconciliationView },
    handle: postMatching,
  }),
  'POST /api/payments/:id/resolution': route({
    access: 'staff: administer',
    summary: 'Resolve a payment with an unclear outcome',
    body: ResolutionBody,
    answers: { 200: ResolutionReply },
    errors: [409, 503],
    handle: postResolution,
  }),
  'POST /api/reversals/:id/resolution': route({
    access: 'staff: administer',
    summary: 'Resolve a refund or void with an unclear outcome',
    body: ReversalResolutionBody,
    answers: { 200: ReversalResolutionReply },
    errors: [409, 503],
    handle: postReversalResolution,
  }),
  'POST /api/look-alikes': route({
    access: 'staff: reconcile',
    summary: 'Set aside payments that look alike',
    body: SetAsideBody,
    answers: { 200: SetAsideReply },
    errors: [409],
    handle: postSetAside,
  }),
  'GET /api/terminals/:terminalId/batches/:batchId/match': route({
    access: 'staff',
    summary: 'Show the reconciliation of a batch',
    answers: { 200: BatchReconciliation },
    errors: [503],
    handle: getBatchMatch,
  }),
};

async function postTransaction({ c, deps }: PublicRequest): Promise<Response> {
  // Compare hashes, so that the duration of the comparison reveals nothing about the secret.
  const [presentedHash, secretHash] = await Promise.all([
    deps.sha256(c.req.param('secret') ?? ''),
    deps.sha256(deps.settings.TRANSACTION_WEBHOOK_SECRET),
  ]);
  if (presentedHash !== secretHash) {
    await countAnonymousRefusal(deps, 'webhook.forged', '/api/webhooks/transactions/:secret');
    return apiError(c, 404, 'not-found', 'Not found.');
  }
  const event = deps.gateway.readTransactionEvent(await c.req.text());
  // An unknown event type must not be resent, so the response is 204.
  if (event) runToCompletion(c, handleTransactionWebhook(deps, event));
  else deps.log.info('webhook-unknown', {});
  return c.body(null, 204);
}

async function getMatching({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json(await viewReconciliation(deps, accountId));
}

/** Reconciles now instead of at night. If a run is in progress, returns the results so far. */
async function postMatching({ c, deps, merchant }: StaffRequest): Promise<Response> {
  await reconcileAccount(deps, merchant.accountId, 'card');
  await reconcileAccount(deps, merchant.accountId, 'ach');
  return c.json(await viewReconciliation(deps, merchant.accountId));
}

async function getBatchMatch({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const { terminalId = '', batchId = '' } = c.req.param();
  const outcome = await viewBatchReconciliation(deps, accountId, terminalId, batchId);
  switch (outcome.kind) {
    case 'match':
      return c.json(outcome.match);
    case 'no-terminal':
      return apiError(c, 404, 'not-found', 'Terminal not found.');
    case 'no-batch':
      return apiError(c, 404, 'not-found', 'Batch not found.');
    case 'unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'gateway-unavailable', `${deps.gateway.displayName} is not answering.`);
  }
}

async function postResolution({ c, deps, merchant, body }: StaffRequest<typeof ResolutionBody>): Promise<Response> {
  const outcome = await resolvePayment(deps, merchant, c.req.param('id') ?? '', body);
  switch (outcome.kind) {
    case 'resolved': {
      const { verdict } = body;
      const message =
        verdict === 'charged'
          ? `Invoice ${outcome.attempt.invoiceNumber} is paid.`
          : `Invoice ${outcome.attempt.invoiceNumber} can be paid again.`;
      return c.json({ verdict, message } satisfies ResolutionReply);
    }
    default:
      return refusalReply(c, deps, outcome, 'Payment');
  }
}

async function postReversalResolution({
  c,
  deps,
  merchant,
  body,
}: StaffRequest<typeof ReversalResolutionBody>): Promise<Response> {
  const outcome = await resolveReversal(deps, merchant, c.req.param('id') ?? '', body);
  switch (outcome.kind) {
    case 'resolved': {
      const { verdict } = body;
      const { reversal, attempt } = outcome;
      const subject = `The ${reversal.kind} of ${formatMoney(reversal.amountCents, attempt.currency)} on ${attempt.invoiceNumber}`;
      const message = verdict === 'happened' ? `${subject} is booked.` : `${subject} did not happen.`;
      return c.json({ verdict, message } satisfies ReversalResolutionReply);
    }
    default:
      return refusalReply(c, deps, outcome, 'Refund');
  }
}

async function postSetAside({ c, deps, merchant, body }: StaffRequest<typeof SetAsideBody>): Promise<Response> {
  const outcome = await setAsideLookAlikes(deps, merchant, body.payment_ids, body.note);
  if (outcome.kind === 'over')
    return apiError(c, 409, 'conflict', 'These payments are no longer listed. Reload the page.');
  const message = `${formatCount(outcome.count, 'payment')} set aside as not duplicates.`;
  return c.json({ message } satisfies SetAsideReply);
}

type Refusal = { kind: 'contradicted'; why: string } | { kind: 'not-found' | 'unavailable' };

/** Maps the refusal of a staff decision to a response. */
function refusalReply(c: C, deps: Deps, refusal: Refusal, subject: 'Payment' | 'Refund'): Response {
  switch (refusal.kind) {
    case 'contradicted':
      return apiError(c, 409, 'conflict', refusal.why);
    case 'not-found':
      return apiError(c, 404, 'not-found', `${subject} not found.`);
    case 'unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'gateway-unavailable', `${deps.gateway.displayName} is not answering.`);
  }
}
