import type { Context } from 'hono';
import type { ResolutionReply, ReversalResolutionReply } from '#shared/contracts/reconciliation';
import { ResolutionBody, ReversalResolutionBody } from '#shared/contracts/reconciliation-request';
import { formatMoney } from '#shared/money';
import type { Deps, Env } from '#worker/deps';
import { countStranger } from '#worker/domain/audit/refusals';
import type { Merchant } from '#worker/domain/merchants/session';
import { handleTransactionWebhook } from '#worker/domain/reconciliation/handle-transaction-webhook';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
import { reconcileAccount } from '#worker/domain/reconciliation/run';
import { viewBatchReconciliation, viewReconciliation } from '#worker/domain/reconciliation/view-reconciliation';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Differences between the gateway and our ledger, decisions of staff about them, and the gateway's webhooks. */
export function reconciliationRoutes(app: App, depsOf: (c: C) => Deps): void {
  const tooLarge = (c: Context) => apiError(c, 413, 'too-large', 'The request is too large.');
  app.use('/api/webhooks/transactions/*', limitBody(200_000, tooLarge));
  route(app, '/api/webhooks/transactions/:secret', { POST: (c) => postTransaction(c, depsOf(c)) });
  route(app, '/api/matching', { GET: merchantOnly(depsOf, getMatching), POST: merchantOnly(depsOf, postMatching) });
  route(app, '/api/payments/:id/resolution', { POST: merchantOnly(depsOf, postResolution) });
  app.use('/api/reversals/*', limitBody(10_000, tooLarge));
  route(app, '/api/reversals/:id/resolution', { POST: merchantOnly(depsOf, postReversalResolution) });
  route(app, '/api/terminals/:terminalId/batches/:batchId/match', { GET: merchantOnly(depsOf, getBatchMatch) });
}

async function postTransaction(c: C, deps: Deps): Promise<Response> {
  // Compare hashes: how early the comparison ends then reveals nothing about the secret.
  const [given, own] = await Promise.all([
    deps.sha256(c.req.param('secret') ?? ''),
    deps.sha256(deps.settings.TRANSACTION_WEBHOOK_SECRET),
  ]);
  if (given !== own) {
    await countStranger(deps, 'webhook.forged', '/api/webhooks/transactions/:secret');
    return apiError(c, 404, 'not-found', 'Not found.');
  }
  const event = deps.gateway.readTransactionEvent(await c.req.text());
  // A kind that we do not know is nothing to send again.
  if (event) runToCompletion(c, handleTransactionWebhook(deps, event));
  else deps.log.info('webhook-not-known', {});
  return c.body(null, 204);
}

const getMatching = async (c: C, deps: Deps, { accountId }: Merchant) =>
  c.json(await viewReconciliation(deps, accountId));

/** Reconciles now instead of tonight; during a run, returns what is known so far. */
async function postMatching(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  await reconcileAccount(deps, merchant.accountId, 'card');
  await reconcileAccount(deps, merchant.accountId, 'ach');
  return getMatching(c, deps, merchant);
}

async function getBatchMatch(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
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

async function postResolution(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body = await readJson(c, ResolutionBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await resolvePayment(deps, merchant, c.req.param('id') ?? '', body.data);
  switch (outcome.kind) {
    case 'resolved': {
      const { verdict } = body.data;
      const message =
        verdict === 'charged'
          ? `Invoice ${outcome.attempt.invoiceNumber} is paid.`
          : `Invoice ${outcome.attempt.invoiceNumber} can be paid again.`;
      return c.json({ verdict, message } satisfies ResolutionReply);
    }
    default:
      return undecided(c, deps, outcome, 'Payment');
  }
}

async function postReversalResolution(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body = await readJson(c, ReversalResolutionBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await resolveReversal(deps, merchant, c.req.param('id') ?? '', body.data);
  switch (outcome.kind) {
    case 'resolved': {
      const { verdict } = body.data;
      const { reversal, attempt } = outcome;
      const what = `The ${reversal.kind} of ${formatMoney(reversal.amountCents, attempt.currency)} on ${attempt.invoiceNumber}`;
      const message = verdict === 'happened' ? `${what} is booked.` : `${what} did not happen.`;
      return c.json({ verdict, message } satisfies ReversalResolutionReply);
    }
    default:
      return undecided(c, deps, outcome, 'Refund');
  }
}

type Refusal = { kind: 'contradicted'; why: string } | { kind: 'not-found' | 'unavailable' };

/** Tells staff why their decision was not accepted. */
function undecided(c: C, deps: Deps, refusal: Refusal, what: 'Payment' | 'Refund'): Response {
  switch (refusal.kind) {
    case 'contradicted':
      return apiError(c, 409, 'conflict', refusal.why);
    case 'not-found':
      return apiError(c, 404, 'not-found', `${what} not found.`);
    case 'unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'gateway-unavailable', `${deps.gateway.displayName} is not answering.`);
  }
}
