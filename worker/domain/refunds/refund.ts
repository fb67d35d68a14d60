import type { ReversalOffer } from '#shared/contracts/payments/batches';
import { decimalFromCents, formatMoney, ONLINE_CURRENCY } from '#shared/money';
import {
  claimReversal,
  findReversiblePayment,
  LIVE_REVERSAL_STATES,
  refuseRequest,
} from '#worker/data/refunds/reversals';
import type { Reversal } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import type { Merchant } from '#worker/domain/merchants/session';
import { queryAnyTerminal, recordRefusedCredentials } from '#worker/domain/payments/query-any-terminal';
import { nextCheckAfter } from '#worker/domain/payments/settle';
import { listAllBatchesNow, readBatches } from '#worker/domain/terminals/batches';
import { causeOf } from '#worker/log';
import type { GatewayBatch, ReversalOutcome, TerminalRef } from '#worker/vendors/gateway-port';
import { allowanceOf, limitOf, offerFor } from './eligibility.ts';
import { reconcileReversal } from './inquire-reversal-status.ts';
import { askSecondPerson } from './second-person.ts';
import { type ReversalMove, reversalEvent, settleReversal } from './settle-reversal.ts';

export type ReversalRequest = {
  kind: 'void' | 'refund';
  /** Cents of a refund; a void always reverses the whole remaining amount. */
  amountCents: number | null;
  reason: string;
  /** Created once per form, so that a form makes one reversal, even if it is sent several times. */
  requestKey: string;
};

export type ReversePaymentOutcome =
  /** Confirmed or refused by the gateway, or still unknown. */
  | { kind: 'reversal'; reversal: Reversal; attempt: Attempt }
  | { kind: 'not-offered'; why: string }
  /** `leftCents`: the remaining amount of the payment. */
  | { kind: 'bad-amount'; leftCents: number }
  /** More than a manager may refund in a day; `allowedCents` may still be refunded. */
  | { kind: 'above-allowance'; allowedCents: number }
  /** A second person has to approve it first. `mailIds`: the emails to the possible approvers. */
  | { kind: 'waiting'; id: string; mailIds: string[] }
  | { kind: 'forbidden' | 'not-found' | 'unavailable' };

/**
 * Reverses a payment: voids it while its batch is open, refunds it afterwards. The payment is claimed before the
 * gateway is called, so that concurrent requests never refund more than was paid. A lost answer is looked up, not
 * repeated. The same form may be sent twice, so its key is refused for the other request before staff are told that
 * nothing was refunded. `approvalMode`: a second person's approval is requested if the account's settings require it,
 * requested in any case, or already given.
 */
export async function reversePayment(
  deps: Deps,
  merchant: Merchant,
  attemptId: string,
  request: ReversalRequest,
  approvalMode: 'as-set' | 'ask' | 'approved' = 'as-set',
): Promise<ReversePaymentOutcome> {
  const outcome = await tryReversal(deps, merchant, attemptId, request, approvalMode);
  if (outcome.kind === 'reversal' || outcome.kind === 'waiting') return outcome;
  // The approval itself records the outcome of an approved reversal, and may retry it.
  if (approvalMode === 'approved') return outcome;
  const { accountId } = merchant;
  const existing = await refuseRequest(deps.db, { accountId, attemptId, requestKey: request.requestKey }, deps.now());
  if (existing?.kind === 'reversal') return tryReversal(deps, merchant, attemptId, request, approvalMode);
  return existing ? { kind: 'waiting', id: existing.approvalId, mailIds: [] } : outcome;
}

async function tryReversal(
  deps: Deps,
  merchant: Merchant,
  attemptId: string,
  request: ReversalRequest,
  approvalMode: 'as-set' | 'ask' | 'approved',
): Promise<ReversePaymentOutcome> {
  const { db, settings } = deps;
  const reversible = await findReversiblePayment(db, merchant.accountId, attemptId);
  if (!reversible) return { kind: 'not-found' };
  const { attempt } = reversible;
  const existingReversal = reversible.reversals.find(({ requestKey }) => requestKey === request.requestKey);
  if (existingReversal)
    return { kind: 'reversal', reversal: await reconcileReversal(deps, existingReversal, attempt), attempt };

  const limit = limitOf(deps, merchant, { attemptId, requestKey: request.requestKey });
  const allowance = await allowanceOf(deps, merchant, limit);
  if (allowance === null) return { kind: 'forbidden' };
  // A refund from the hours that a restore lost is not in our books yet, so the same money could be refunded twice.
  if (await isCatchingUp(deps, attempt.accountId)) return { kind: 'unavailable' };
  const offerResult = await offerOf(deps, attempt, reversible.reversals, allowance);
  if (offerResult === 'unavailable') return { kind: 'unavailable' };
  const { offer, terminal } = offerResult;
  if (offer.kind === null || !terminal) return { kind: 'not-offered', why: offer.why ?? '' };
  if (offer.kind !== request.kind) return { kind: 'not-offered', why: OTHER_KIND_TEXT[offer.kind] };
  const leftCents = attempt.amountCents - attempt.refundedCents;
  const amountCents = request.kind === 'void' ? leftCents : (request.amountCents ?? 0);
  if (amountCents <= 0 || amountCents > leftCents) return { kind: 'bad-amount', leftCents };
  const refusal = otherAmountRefusal(reversible.reversals, amountCents);
  if (request.kind === 'refund' && refusal) return { kind: 'not-offered', why: refusal };
  if (amountCents > allowance) return { kind: 'above-allowance', allowedCents: allowance };
  const waitingApproval =
    approvalMode === 'approved'
      ? null
      : await askSecondPerson(deps, { merchant, attempt, request, amountCents, mode: approvalMode, limit });
  if (waitingApproval) return waitingApproval;

  const createdAt = deps.now();
  const approvedCount = reversible.reversals.filter(({ state }) => state === 'approved').length;
  const reversal = {
    id: deps.newId(),
    accountId: attempt.accountId,
    attemptId,
    invoiceId: attempt.invoiceId,
    kind: request.kind,
    amountCents,
    // The key includes the payment's own id, because two invoices with the same number share the key of their payments.
    dedupeKey: `${attempt.dedupeKey}-${attempt.providerTxnId ?? ''}-r${approvedCount + 1}`,
    requestKey: request.requestKey,
    reason: request.reason,
    requestedBy: merchant.userId,
    holdUntil: createdAt + Math.max(settings.HOLD_MS, 3 * settings.CHARGE_TIMEOUT_MS),
    nextCheckAt: createdAt + settings.CHARGE_TIMEOUT_MS + settings.SENT_GRACE_MS,
    createdAt,
  };
  const { claimed, others } = await claimReversal(db, reversal, attempt, reversalEvent(deps, reversal), limit);
  return claimed ? sendReversal(deps, terminal, claimed, attempt) : answerToLostClaim(others, request, attempt);
}

/**
 * The refusal of another amount while a refund that counts as not done may still show up. Under its key, the gateway
 * refunds the same amount only once, but it also refunds a different one. Null if no such refund conflicts.
 */
function otherAmountRefusal(reversals: Reversal[], amountCents: number): string | null {
  const isMade = (key: string) => reversals.some(({ state, dedupeKey }) => state === 'approved' && dedupeKey === key);
  const releasedRefund = reversals.find(
    ({ kind, state, nextCheckAt, dedupeKey }) =>
      kind === 'refund' && state === 'not_done' && nextCheckAt !== null && !isMade(dedupeKey),
  );
  if (!releasedRefund || releasedRefund.amountCents === amountCents) return null;
  const amount = formatMoney(releasedRefund.amountCents, ONLINE_CURRENCY);
  return `An earlier refund of ${amount} may still go through. Until tomorrow, only that amount can be refunded.`;
}

const OTHER_KIND_TEXT = {
  void: 'Its batch is still open: void the payment instead.',
  refund: 'Its batch was closed meanwhile: refund the payment instead.',
} as const;

export type OfferResult = { offer: ReversalOffer; terminal: TerminalRef | null };

/**
 * The reversal that a payment allows now, according to the gateway's record. `allowance`: cents that the requester may
 * refund; null if none.
 */
export async function offerOf(
  deps: Deps,
  attempt: Attempt,
  reversals: Reversal[],
  allowance: number | null,
): Promise<OfferResult | 'unavailable'> {
  const reversal = reversals.find(({ state }) => LIVE_REVERSAL_STATES.includes(state))?.state ?? null;
  const context = { attempt, reversal, allowance };
  // Some reasons apply to every batch, so the gateway need not be queried.
  const anyBatchOffer = offerFor({ ...context, batch: 'closed' });
  if (anyBatchOffer.kind === null) return { offer: anyBatchOffer, terminal: null };
  const { accountId, terminalId: first } = attempt;
  const result = await queryAnyTerminal(deps, { accountId, first }, (terminal) =>
    readAtGateway(deps, terminal, attempt),
  );
  if (result === 'unavailable') return result;
  if (result === 'no-terminal') return { offer: offerFor({ ...context, batch: null }), terminal: null };
  const { terminal, answer } = result;
  if (answer.isVoided) {
    return {
      offer: { ...anyBatchOffer, kind: null, why: 'The card provider shows this payment as voided.' },
      terminal: null,
    };
  }
  return { offer: offerFor({ ...context, batch: answer.batch }), terminal };
}

type GatewayState = { isVoided: boolean; batch: GatewayBatch['status'] | null };

/** Reads the payment at the gateway with this terminal, which need not be the terminal of the payment. */
async function readAtGateway(
  deps: Deps,
  terminal: TerminalRef,
  attempt: Attempt,
): Promise<GatewayState | 'unavailable'> {
  const isOwn = terminal.terminalId === attempt.terminalId;
  const [txns, batches] = await Promise.all([
    deps.gateway.find(terminal, 'card', { providerTxnId: attempt.providerTxnId ?? '' }),
    isOwn ? readBatches(deps, { ref: terminal }) : listAllBatchesNow(deps, terminal),
  ]);
  if (txns === 'unavailable' || batches === 'unavailable') return 'unavailable';
  const txn = txns.find(({ id }) => id === attempt.providerTxnId);
  return { isVoided: txn?.isVoided === true, batch: batches.find(({ id }) => id === txn?.batchId)?.status ?? null };
}

function answerToLostClaim(
  others: Reversal[],
  { requestKey }: ReversalRequest,
  attempt: Attempt,
): ReversePaymentOutcome {
  const existingReversal = others.find((other) => other.requestKey === requestKey);
  if (existingReversal) return { kind: 'reversal', reversal: existingReversal, attempt };
  const isBusy = others.some(({ state }) => LIVE_REVERSAL_STATES.includes(state));
  return {
    kind: 'not-offered',
    why: isBusy
      ? 'Someone else is refunding this payment right now.'
      : 'This was already refused, or part of this payment was refunded since. Please check it again.',
  };
}

async function sendReversal(
  deps: Deps,
  terminal: TerminalRef,
  claimed: Reversal,
  attempt: Attempt,
): Promise<ReversePaymentOutcome> {
  const { gateway, log, now } = deps;
  const { id: reversalId, kind, dedupeKey, amountCents } = claimed;
  const request = { terminal, providerTxnId: attempt.providerTxnId ?? '', reversalId };
  const outcome = await (kind === 'void'
    ? gateway.voidTransaction(request)
    : gateway.refund({ ...request, dedupeKey, amountCents }));
  if (outcome.kind === 'rejected' && outcome.reason === 'credentials') await recordRefusedCredentials(deps, terminal);
  const move = moveFor(outcome, kind, now());
  try {
    // An interrupted write may have succeeded. Repeating it is harmless, since a move is made only once.
    const settle = () => settleReversal(deps, claimed, attempt, move);
    const settlement = await settle().catch(settle);
    log.info('reversal-settled', { reversalId, kind, amount: decimalFromCents(amountCents), to: move.to });
    const { reversal } = settlement;
    const isLost = reversal.state === 'unknown';
    return {
      kind: 'reversal',
      reversal: isLost ? await reconcileReversal(deps, reversal, attempt) : reversal,
      attempt,
    };
  } catch (cause) {
    log.info('reversal-not-recorded', { reversalId, to: move.to, cause: causeOf(cause) });
    return { kind: 'reversal', reversal: claimed, attempt };
  }
}

function moveFor(outcome: ReversalOutcome, kind: Reversal['kind'], at: number): ReversalMove {
  switch (outcome.kind) {
    case 'approved': {
      const { txn, exchangeId } = outcome;
      const { id: txnId, batchId } = txn;
      // The answer to a void may show the payment instead.
      const madeAt = kind === 'refund' ? txn.createdAt : null;
      return { to: 'approved', from: ['sent'], at, madeAt, txnId, batchId, exchangeId };
    }
    case 'refused':
      // The payment is already voided, here or elsewhere; a lookup shows which.
      if (kind === 'void' && outcome.reason === 'already-reversed')
        return unknownMove(outcome.message, outcome.exchangeId, at);
      return { to: 'refused', from: ['sent'], at, message: outcome.message, providerCode: outcome.providerCode };
    case 'rejected':
      return { to: 'refused', from: ['sent'], at, message: outcome.message, providerCode: outcome.providerCode };
    case 'unknown':
      return unknownMove(outcome.cause, outcome.exchangeId, at);
  }
}

const unknownMove = (message: string, exchangeId: string, at: number): ReversalMove => ({
  to: 'unknown',
  from: ['sent'],
  at,
  exchangeId,
  message: message.slice(0, 200),
  nextCheckAt: at + nextCheckAfter(0),
});
