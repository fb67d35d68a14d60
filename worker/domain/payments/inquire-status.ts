import { claimCheck, findAttempt, recordCheck, recordReportedCharge } from '#worker/data/payments/attempts';
import type { Attempt, AttemptState } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { watchAchReturn, watchPendingDebit } from './ach-debit.ts';
import { excludeRefunded, isMoney, lookUpCharge } from './look-up-charge.ts';
import { resolveAutomatically } from './resolve-automatically.ts';
import {
  ACH_CHECK_MS,
  ACH_RETURN_CHECK_MS,
  approvalMove,
  declineToShow,
  FINAL_CHECK_MS,
  type Move,
  nextCheckAfter,
  settle,
} from './settle.ts';

/** The number of empty lookups after which a charge counts as not made. */
const MIN_EMPTY_CHECKS = 3;
/** The platform ends a call this long (ms) after its client disconnects, so the answer to an older call may be lost. */
export const ABANDONED_CALL_MS = 35_000;
/** Pause (ms) between status inquiries of a terminal's sale whose answer may have been lost. */
const SALE_CHECK_MS = 5_000;
/** States that have released their invoice. If money shows up for such an attempt, a person has to check it. */
const RELEASED_STATES: AttemptState[] = ['not_charged', 'cancelled', 'timed_out'];
/**
 * States in which the gateway reported that no money moved. If money shows up after all, a person has to check it too.
 */
const REFUSED_STATES: AttemptState[] = ['declined', 'rejected', 'returned'];
const REOPENED_STATES: AttemptState[] = [...RELEASED_STATES, ...REFUSED_STATES];
/** A bank may return a debit even after it was refunded. */
const BOOKED_STATES: AttemptState[] = ['approved', 'refunded'];
/** States in which the gateway can be queried at any time. */
const QUERYABLE_STATES: AttemptState[] = ['unknown', 'pending', ...RELEASED_STATES];
/**
 * States from which an attempt in `needs_human` can also be resolved by the gateway, because its invoice was never
 * released.
 */
const RESOLVABLE_FROM = ['unknown', 'pending'];
/** A released bank debit may settle this long (ms) after it was created. */
const DEBIT_MAY_SETTLE_MS = 65 * 24 * 3_600_000;

/**
 * Queries the gateway for the outcome of an attempt, and changes its state if the answer allows. Safe to run anywhere,
 * any number of times concurrently. `reported`: the attempt's transactions in the gateway's latest webhook or list.
 * Returns the updated attempt.
 */
export async function inquirePaymentStatus(
  callerDeps: Deps,
  loadedAttempt: Attempt,
  reported: GatewayTransaction[] = [],
): Promise<Attempt> {
  const deps = bySystem(callerDeps);
  if (needsNoLookUp(loadedAttempt, reported)) return endChecks(deps, loadedAttempt);
  if (BOOKED_STATES.includes(loadedAttempt.state)) return watchAchReturn(deps, loadedAttempt);
  if (loadedAttempt.state === 'needs_human') return resolveAutomatically(deps, loadedAttempt, reported);
  if (loadedAttempt.state === 'pending') return watchPendingDebit(deps, loadedAttempt, reported);
  const attempt = loadedAttempt.state === 'sent' ? await expireSentAttempt(deps, loadedAttempt) : loadedAttempt;
  const at = deps.now();
  if (!canQuery(attempt, at, reported)) return attempt;
  // The gateway's lists lag, so a concurrent lookup may be about to conclude that there is no charge.
  const charge = reported.find(isMoney);
  if (charge && attempt.providerTxnId === null) await recordReportedCharge(deps.db, attempt.id, charge.id);

  const next = nextCheckAt(attempt, at);
  if (!(await claimCheck(deps.db, attempt, at, next))) return (await findAttempt(deps.db, attempt.id)) ?? attempt;

  const verdict = await queryGateway(deps, attempt, reported);
  const ids = { accountId: attempt.accountId, attemptId: attempt.id };
  if (verdict.kind === 'unavailable')
    deps.log.info('status-inquiry-failed', {
      clinic: deps.clinic,
      ...ids,
      cause: 'the card provider does not answer',
    });
  const move = moveFor(verdict, attempt, deps.now());
  if (move) {
    const settlement = await settle(deps, attempt, move).catch((cause: unknown) => {
      // The transaction is in the ledger for another attempt. One of the two is wrong, and no program can tell which.
      if (!/UNIQUE constraint failed: ledger/.test(String(cause))) throw cause;
      return settle(deps, attempt, escalate(attempt, ['unknown'], deps.now()));
    });
    if (!settlement.moved) return settlement.attempt ?? attempt;
    const to = settlement.attempt?.state ?? move.to;
    const fields = { ...ids, from: attempt.state, to };
    if (to === 'needs_human') deps.log.alert('payment-needs-a-person', fields);
    else deps.log.info('payment-status-found', fields);
    return settlement.attempt ?? attempt;
  }
  // The charge may still be in transit, so an empty answer proves nothing.
  if (attempt.state === 'sent' && verdict.kind !== 'unreadable') return attempt;
  const isFinalCheck = verdict.kind === 'empty' && REOPENED_STATES.includes(attempt.state);
  await recordCheck(deps.db, attempt, verdict, isFinalCheck ? checkAfterRelease(attempt, at) : next);
  return (await findAttempt(deps.db, attempt.id)) ?? attempt;
}

/** The next lookup of a released attempt. Null unless it is an accepted bank debit, which may settle weeks later. */
function checkAfterRelease({ state, method, providerTxnId, createdAt }: Attempt, at: number): number | null {
  const isReleased = RELEASED_STATES.includes(state);
  const mayAppear = isReleased && method === 'ach' && providerTxnId !== null && at < createdAt + DEBIT_MAY_SETTLE_MS;
  return mayAppear ? at + ACH_RETURN_CHECK_MS : null;
}

/** True if no more lookups are needed, because the outcome is certain or only a person can decide. */
function needsNoLookUp({ state, method, needsHumanFrom }: Attempt, reported: GatewayTransaction[]): boolean {
  if (BOOKED_STATES.includes(state)) return method !== 'ach';
  if (state === 'needs_human') return !RESOLVABLE_FROM.includes(needsHumanFrom);
  return state !== 'sent' && !isQueryable(state, reported);
}

/**
 * Clears a leftover check time, for example of a bank debit that was refunded elsewhere, which would keep triggering
 * the clinic's alarm.
 */
async function endChecks({ db }: Deps, attempt: Attempt): Promise<Attempt> {
  if (attempt.nextCheckAt === null) return attempt;
  await recordCheck(db, attempt, {}, null);
  return { ...attempt, nextCheckAt: null };
}

/**
 * True if the gateway can be queried. A sent attempt can be queried once the answer to its charge call may be lost,
 * which can be long before the timeout, or as soon as the gateway has reported money for it.
 */
function canQuery(attempt: Attempt, at: number, reported: GatewayTransaction[]): boolean {
  if (attempt.state === 'sent') return at - attempt.createdAt >= ABANDONED_CALL_MS || reported.some(isMoney);
  return isQueryable(attempt.state, reported);
}

const isQueryable = (state: AttemptState, reported: GatewayTransaction[]): boolean =>
  QUERYABLE_STATES.includes(state) || (REFUSED_STATES.includes(state) && reported.some(isMoney));

/** The time of the next check. It is never after the end of the hold, so an attempt does not stay open too long. */
function nextCheckAt(attempt: Attempt, at: number): number | null {
  if (attempt.state === 'sent') return attempt.channel === 'terminal' ? at + SALE_CHECK_MS : attempt.nextCheckAt;
  // A sale at a counter terminal was polled many times while staff waited, so only its empty answers count here.
  const next = at + nextCheckAfter(attempt.channel === 'terminal' ? attempt.emptyChecks : attempt.checks);
  return attempt.state === 'unknown' && at < attempt.holdUntil ? Math.min(next, attempt.holdUntil) : next;
}

/** Makes an attempt `unknown` once the Worker that sent it must have ended without recording the outcome. */
async function expireSentAttempt(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const at = deps.now();
  const { TERMINAL_TIMEOUT_MS, CHARGE_TIMEOUT_MS, SENT_GRACE_MS } = deps.settings;
  const timeoutMs = attempt.channel === 'terminal' ? TERMINAL_TIMEOUT_MS : CHARGE_TIMEOUT_MS;
  if (at - attempt.createdAt < timeoutMs + SENT_GRACE_MS) return attempt;
  const message = 'no answer was recorded';
  const settlement = await settle(deps, attempt, {
    to: 'unknown',
    from: ['sent'],
    at,
    message,
    nextCheckAt: at,
  });
  return settlement.attempt ?? attempt;
}

type Verdict =
  | { kind: 'found'; txn: GatewayTransaction }
  | { kind: 'contradiction' }
  | { kind: 'empty' }
  /** There is a transaction, but in an unknown state. */
  | { kind: 'unreadable'; txnId: string | undefined }
  /** The gateway did not answer, which proves nothing about the charge. */
  | { kind: 'unavailable' };

async function queryGateway(deps: Deps, attempt: Attempt, reported: GatewayTransaction[]): Promise<Verdict> {
  const lookup = await lookUpCharge(deps, attempt, reported, attempt.checks);
  if (lookup === 'unavailable') return { kind: 'unavailable' };
  const { ownCharges, foreignCharges } = lookup;
  if (REOPENED_STATES.includes(attempt.state)) {
    // Charges of later attempts prove nothing about this one. A decline, void or refund only confirms its end.
    const heldCharges = ownCharges.filter((txn) => isMoney(txn) && !txn.isVoided);
    if (heldCharges.length === 0) return { kind: 'empty' };
    const unrefundedCharges = await excludeRefunded(deps, attempt, lookup.terminal, heldCharges);
    return unrefundedCharges.length > 0 ? judge(unrefundedCharges, attempt) : { kind: 'empty' };
  }
  if (ownCharges.length > 0) return judge(ownCharges, attempt);
  // There is no charge under our order id, but this invoice was charged under another one.
  return foreignCharges.length > 0 ? { kind: 'contradiction' } : { kind: 'empty' };
}

function judge(ownCharges: GatewayTransaction[], attempt: Attempt): Verdict {
  const money = ownCharges.filter(isMoney);
  const [first] = money;
  // The invoice was charged twice, or a person has already voided the charge.
  if (money.length > 1 || first?.isVoided) return { kind: 'contradiction' };
  if (first)
    return first.amountCents === attempt.amountCents ? { kind: 'found', txn: first } : { kind: 'contradiction' };
  const failedCharge = ownCharges.find((txn) => txn.state === 'declined' || txn.state === 'returned');
  // An unknown state does not prove that no money moved.
  return failedCharge
    ? { kind: 'found', txn: failedCharge }
    : { kind: 'unreadable', txnId: ownCharges[0]?.id || undefined };
}

function moveFor(verdict: Verdict, attempt: Attempt, at: number): Move | null {
  const from: Move['from'] = [attempt.state];
  if (verdict.kind === 'contradiction') return attempt.state === 'sent' ? null : escalate(attempt, from, at);
  if (verdict.kind === 'found') return moveForFound(verdict.txn, attempt, from, at);
  if (attempt.state !== 'unknown' || at < attempt.holdUntil) return null;
  if (verdict.kind === 'unavailable') return null;
  // A transaction that was reported once exists, even if an index does not have it yet.
  if (verdict.kind === 'unreadable' || attempt.providerTxnId) return escalate(attempt, from, at);
  if (attempt.emptyChecks + 1 < MIN_EMPTY_CHECKS) return null;
  return { to: 'not_charged', from, at, nextCheckAt: at + FINAL_CHECK_MS };
}

/** An attempt that was never released is looked up again, as answers out of order may cause a contradiction. */
const escalate = (attempt: Attempt, from: Move['from'], at: number): Move => ({
  to: 'needs_human',
  from,
  at,
  nextCheckAt: attempt.state === 'unknown' ? at + nextCheckAfter(attempt.checks) : null,
});

function moveForFound(txn: GatewayTransaction, attempt: Attempt, from: Move['from'], at: number): Move | null {
  if (REOPENED_STATES.includes(attempt.state)) return escalate(attempt, from, at);
  if (txn.state === 'approved') return approvalMove(txn, from, at);
  // The charge call may still be running. A decline would reopen the invoice, so it is left to that call.
  if (attempt.state === 'sent' && attempt.channel === 'link') return null;
  if (txn.state === 'pending') return { to: 'pending', from, at, txn, nextCheckAt: at + ACH_CHECK_MS };
  return { to: 'declined', from, at, txn, ...declineToShow(txn, txn) };
}
