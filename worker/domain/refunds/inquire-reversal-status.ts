import { decimalFromCents } from '#shared/money';
import { findTransactionTime } from '#worker/data/reconciliation/transaction-queries';
import { claimReversalCheck, findReversal, listDueReversals, recordEmptyCheck } from '#worker/data/refunds/reversals';
import type { Reversal } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import { mergeLookUps } from '#worker/domain/payments/look-up-charge';
import { queryAnyTerminal } from '#worker/domain/payments/query-any-terminal';
import { nextCheckAfter } from '#worker/domain/payments/settle';
import { causeOf } from '#worker/log';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { type ReversalMove, settleReversal } from './settle-reversal.ts';

/** The number of empty lookups after which a reversal counts as not done. */
const MIN_EMPTY_CHECKS = 3;
/** A reversal that counts as not done is looked up once more after this (ms). */
const FINAL_CHECK_MS = 24 * 3_600_000;
/** A reversal that the gateway shows in an unknown state goes to a person at this age (ms). */
const UNREADABLE_LIMIT_MS = 24 * 3_600_000;
const BATCH_SIZE = 50;

const SHOWN_TWICE_TEXT = 'The card provider shows it more than once.';
const otherAmountText = (cents: number | null) =>
  `The card provider shows another amount for it${cents === null ? '' : `: $${decimalFromCents(cents)}`}.`;
const UNREADABLE_TEXT = 'The card provider shows it in an unknown state.';
const OTHER_ORDER_TEXT = 'The card provider shows a similar refund under another order number.';
const ALREADY_BOOKED_TEXT = 'The refund shown by the card provider is already in our books, or is more than was paid.';

/** For a clinic's schedule: checks refunds and voids whose answer was lost. */
export async function reconcileReversals(deps: Deps): Promise<void> {
  for (const { reversal, attempt } of await listDueReversals(deps.db, deps.now(), BATCH_SIZE)) {
    await reconcileReversal(deps, reversal, attempt).catch((cause: unknown) =>
      deps.log.info('reversal-check-failed', { clinic: deps.clinic, reversalId: reversal.id, cause: causeOf(cause) }),
    );
  }
}

/**
 * Queries the gateway for the outcome of a void or refund, and changes its state if the answer allows. Never repeats
 * the reversal to find out. Safe to run anywhere, any number of times concurrently.
 */
export async function reconcileReversal(
  callerDeps: Deps,
  loadedReversal: Reversal,
  attempt: Attempt,
): Promise<Reversal> {
  const deps = bySystem(callerDeps);
  const { db, now } = deps;
  if (loadedReversal.state === 'sent' && loadedReversal.providerTxnId !== null)
    return settleReported(deps, loadedReversal, attempt, loadedReversal.providerTxnId);
  const reversal =
    loadedReversal.state === 'sent' ? await expireSentReversal(deps, loadedReversal, attempt) : loadedReversal;
  if (reversal.state !== 'unknown' && reversal.state !== 'not_done') return reversal;
  const next = nextCheckAt(reversal, now());
  if (!(await claimReversalCheck(db, reversal, next))) return (await findReversal(db, reversal.id)) ?? reversal;

  const verdict = await queryGateway(deps, reversal, attempt);
  if (verdict.kind === 'unavailable' || verdict.kind === 'unreadable')
    deps.log.info('reversal-check-failed', {
      clinic: deps.clinic,
      accountId: reversal.accountId,
      reversalId: reversal.id,
      cause: 'the card provider does not answer, or not in words that we know',
    });
  const move = moveFor(verdict, reversal, attempt, now());
  if (!move) {
    // A reversal that counts as not done and was refused is not checked again either.
    if (verdict.kind === 'empty' || verdict.kind === 'refused')
      await recordEmptyCheck(db, reversal, reversal.state === 'not_done' ? null : next);
    return (await findReversal(db, reversal.id)) ?? reversal;
  }
  const settlement = await settleReversal(deps, reversal, attempt, move).catch(escalate(deps, reversal, attempt));
  return logOutcome(deps, reversal, settlement.reversal);
}

/** Settles a reversal that was made in the provider's portal and shown by the gateway before we had a record of it. */
async function settleReported(deps: Deps, reversal: Reversal, attempt: Attempt, txnId: string): Promise<Reversal> {
  const at = deps.now();
  const createdAt = await findTransactionTime(deps.db, attempt, txnId);
  const madeAt = madeAtOf({ id: txnId, createdAt }, attempt);
  const move: ReversalMove = { to: 'approved', from: ['sent'], at, madeAt, txnId };
  const settlement = await settleReversal(deps, reversal, attempt, move).catch(async (cause: unknown) => {
    if (!isRejected(cause)) throw cause;
    // Only an `unknown` reversal can move to `needs_human`.
    const unknownReversal = await settleReversal(deps, reversal, attempt, { to: 'unknown', from: ['sent'], at });
    return escalate(deps, unknownReversal.reversal, attempt)(cause);
  });
  return logOutcome(deps, reversal, settlement.reversal);
}

/** Leaves a reversal that the ledger rejects to a person, since it is booked already or would exceed the payment. */
const escalate = (deps: Deps, reversal: Reversal, attempt: Attempt) => (cause: unknown) => {
  if (!isRejected(cause)) throw cause;
  const from = [reversal.state];
  return settleReversal(deps, reversal, attempt, {
    to: 'needs_human',
    from,
    at: deps.now(),
    message: ALREADY_BOOKED_TEXT,
  });
};

/** True if our books reject the entry. A retry would not change that. */
const isRejected = (cause: unknown): boolean => /constraint failed/i.test(String(cause));

function logOutcome({ log }: Deps, previous: Reversal, current: Reversal): Reversal {
  const fields = { accountId: previous.accountId, reversalId: previous.id, from: previous.state, to: current.state };
  if (current.state === 'needs_human') log.alert('reversal-needs-a-person', fields);
  else log.info('reversal-status-found', fields);
  return current;
}

/** Makes a reversal `unknown` once the Worker that sent it must have ended without recording the outcome. */
async function expireSentReversal(deps: Deps, reversal: Reversal, attempt: Attempt): Promise<Reversal> {
  const at = deps.now();
  if (at - reversal.createdAt < deps.settings.CHARGE_TIMEOUT_MS + deps.settings.SENT_GRACE_MS) return reversal;
  const move = { to: 'unknown', from: ['sent'], at, message: 'no answer was recorded', nextCheckAt: at } as const;
  return (await settleReversal(deps, reversal, attempt, { ...move, from: [...move.from] })).reversal;
}

/** The time of the next check, which is never after the end of the hold. */
function nextCheckAt(reversal: Reversal, at: number): number {
  const next = at + nextCheckAfter(reversal.checks);
  return reversal.state === 'unknown' && at < reversal.holdUntil ? Math.min(next, reversal.holdUntil) : next;
}

type Verdict =
  | { kind: 'done'; txn: GatewayTransaction }
  | { kind: 'refused'; txn: GatewayTransaction }
  /** `why`: the text for the person who has to decide. */
  | { kind: 'contradiction'; why: string }
  | { kind: 'empty' }
  /** It exists, but in an unknown state. */
  | { kind: 'unreadable' }
  /** The gateway did not answer, which proves nothing about the money. */
  | { kind: 'unavailable' };

async function queryGateway({ db, gateway }: Deps, reversal: Reversal, attempt: Attempt): Promise<Verdict> {
  const { accountId, terminalId: first } = attempt;
  const result = await queryAnyTerminal({ db }, { accountId, first, turn: reversal.checks }, (terminal) =>
    gateway.find(terminal, 'card', { attemptId: reversal.id }),
  );
  if (typeof result === 'string') return { kind: 'unavailable' };
  const { terminal, answer: byOrder } = result;
  const isOwn = ({ attemptId }: GatewayTransaction) => attemptId === reversal.id;
  if (reversal.kind === 'refund') {
    const byKey = await gateway.find(terminal, 'card', { dedupeKey: reversal.dedupeKey });
    if (byKey === 'unavailable') return { kind: 'unavailable' };
    // The two answers come from different moments, so our own refund may be in only one of them.
    const allTransactions = mergeLookUps(byOrder, byKey);
    const ownTransactions = allTransactions.filter(isOwn);
    if (ownTransactions.length > 0) return judge(ownTransactions, reversal);
    const isForeign = allTransactions.some((txn) => txn.dedupeKey === reversal.dedupeKey && isDone(txn, 'refund'));
    return isForeign ? { kind: 'contradiction', why: OTHER_ORDER_TEXT } : { kind: 'empty' };
  }
  const ownTransactions = byOrder.filter(isOwn);
  if (ownTransactions.length > 0) return judge(ownTransactions, reversal);
  // A void may have no transaction of its own; the payment is marked instead.
  const payments = await gateway.find(terminal, 'card', { providerTxnId: attempt.providerTxnId ?? '' });
  if (payments === 'unavailable') return { kind: 'unavailable' };
  const payment = payments.find(({ id }) => id === attempt.providerTxnId);
  return payment?.isVoided ? { kind: 'done', txn: payment } : { kind: 'empty' };
}

/** A voided refund returned no money. */
const isDone = (txn: GatewayTransaction, kind: Reversal['kind']) =>
  txn.state === 'approved' && txn.kind.toLowerCase() === kind && !isUndone(txn, kind);

const isUndone = ({ isVoided }: GatewayTransaction, kind: Reversal['kind']) => kind === 'refund' && isVoided;

function judge(ownTransactions: GatewayTransaction[], reversal: Reversal): Verdict {
  const doneTransactions = ownTransactions.filter((txn) => isDone(txn, reversal.kind));
  const [first] = doneTransactions;
  if (doneTransactions.length > 1) return { kind: 'contradiction', why: SHOWN_TWICE_TEXT };
  if (first) {
    const isSameAmount = reversal.kind === 'void' || first.amountCents === reversal.amountCents;
    return isSameAmount
      ? { kind: 'done', txn: first }
      : { kind: 'contradiction', why: otherAmountText(first.amountCents) };
  }
  const failedTransaction = ownTransactions.find((txn) => txn.state === 'declined' || isUndone(txn, reversal.kind));
  return failedTransaction ? { kind: 'refused', txn: failedTransaction } : { kind: 'unreadable' };
}

/** Null for a voided payment, which has the time of the payment, not of the void. */
export const madeAtOf = ({ id, createdAt }: Pick<GatewayTransaction, 'id' | 'createdAt'>, payment: Attempt) =>
  id === payment.providerTxnId ? null : createdAt;

function moveFor(verdict: Verdict, reversal: Reversal, attempt: Attempt, at: number): ReversalMove | null {
  const from = [reversal.state];
  switch (verdict.kind) {
    case 'done':
      return {
        to: 'approved',
        from,
        at,
        madeAt: madeAtOf(verdict.txn, attempt),
        txnId: verdict.txn.id,
        batchId: verdict.txn.batchId,
        message: '',
      };
    case 'refused':
      if (reversal.state !== 'unknown') return null;
      return { to: 'refused', from, at, message: verdict.txn.message, providerCode: verdict.txn.providerCode };
    case 'contradiction':
      return { to: 'needs_human', from, at, message: verdict.why };
    case 'empty': {
      const isOver = reversal.state === 'unknown' && at >= reversal.holdUntil;
      if (!isOver || reversal.emptyChecks + 1 < MIN_EMPTY_CHECKS) return null;
      return { to: 'not_done', from, at, nextCheckAt: at + FINAL_CHECK_MS };
    }
    case 'unreadable': {
      const isOver = reversal.state === 'unknown' && at >= reversal.createdAt + UNREADABLE_LIMIT_MS;
      return isOver ? { to: 'needs_human', from, at, message: UNREADABLE_TEXT } : null;
    }
    case 'unavailable':
      return null;
  }
}
