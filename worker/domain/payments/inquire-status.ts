import { claimCheck, findAttempt, noteShown, recordCheck } from '#worker/data/payments/attempts';
import type { Attempt, AttemptState } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { watchAchReturn, watchPendingDebit } from './ach-debit.ts';
import { isMoney, lookUpCharge, withoutGivenBack } from './look-up-charge.ts';
import { resolveAutomatically } from './resolve-automatically.ts';
import {
  ACH_CHECK_MS,
  ACH_RETURN_CHECK_MS,
  approval,
  LAST_LOOK_MS,
  type Move,
  nextCheckAfter,
  settle,
  shownDecline,
} from './settle.ts';

/** Lookups that must come back empty, by the gateway's own word, before a charge counts as not made. */
const MIN_EMPTY_CHECKS = 3;
/** The platform ends a call this long (ms) after its client has gone: the answer of an older one may be lost. */
export const LINE_MS = 35_000;
/** Pause (ms) between status inquiries of a terminal's sale whose answer may have been lost. */
const SALE_CHECK_MS = 5_000;
/** Attempts that the invoice was released from. If money shows up for one of them, a person has to see it. */
const RELEASED: AttemptState[] = ['not_charged', 'cancelled', 'timed_out'];
/** No money came of these by the gateway's own word. Money that it shows after all is for a person to see as well. */
const REFUSED: AttemptState[] = ['declined', 'rejected', 'returned'];
const OPENED_AGAIN: AttemptState[] = [...RELEASED, ...REFUSED];
/** A bank may return a debit also after it was refunded. */
const BOOKED: AttemptState[] = ['approved', 'refunded'];
/** The gateway is asked for them at any time. */
const ASKED_FOR: AttemptState[] = ['unknown', 'pending', ...RELEASED];
/** States that leave `needs_human` by the gateway's word as well: the invoice was never released from them. */
const WATCHED_FROM = ['unknown', 'pending'];
/** A bank debit that was released may settle this long (ms) after it was made. */
const DEBIT_MAY_SETTLE_MS = 65 * 24 * 3_600_000;

/**
 * Ask the gateway for the outcome of an attempt and move it where the answer allows. Safe to run anywhere, any number
 * of times at once. Answers the attempt as it is afterwards. `shown`: of its transactions, those that the gateway has
 * just shown, by a message or in a list.
 */
export async function inquirePaymentStatus(
  asked: Deps,
  seen: Attempt,
  shown: GatewayTransaction[] = [],
): Promise<Attempt> {
  const deps = bySystem(asked);
  if (isOver(seen, shown)) return endChecks(deps, seen);
  if (BOOKED.includes(seen.state)) return watchAchReturn(deps, seen);
  if (seen.state === 'needs_human') return resolveAutomatically(deps, seen, shown);
  if (seen.state === 'pending') return watchPendingDebit(deps, seen, shown);
  const attempt = seen.state === 'sent' ? await giveUpWaiting(deps, seen) : seen;
  const at = deps.now();
  if (!canBeAskedFor(attempt, at, shown)) return attempt;
  // Another look may be about to end: it found nothing, since the gateway's lists lag behind what it tells.
  const told = shown.find(isMoney);
  if (told && attempt.providerTxnId === null) await noteShown(deps.db, attempt.id, told.id);

  const next = nextCheckAt(attempt, at);
  if (!(await claimCheck(deps.db, attempt, at, next))) return (await findAttempt(deps.db, attempt.id)) ?? attempt;

  const verdict = await askGateway(deps, attempt, shown);
  const about = { accountId: attempt.accountId, attemptId: attempt.id };
  if (verdict.kind === 'unavailable')
    deps.log.info('status-inquiry-failed', {
      clinic: deps.clinic,
      ...about,
      cause: 'the card provider does not answer',
    });
  const move = moveFor(verdict, attempt, deps.now());
  if (move) {
    const settled = await settle(deps, attempt, move).catch((cause: unknown) => {
      // The transaction is in the ledger for another attempt: one of the two is wrong, and no program can tell which.
      if (!/UNIQUE constraint failed: ledger/.test(String(cause))) throw cause;
      return settle(deps, attempt, toAPerson(attempt, ['unknown'], deps.now()));
    });
    if (!settled.moved) return settled.attempt ?? attempt;
    const to = settled.attempt?.state ?? move.to;
    const fields = { ...about, from: attempt.state, to };
    if (to === 'needs_human') deps.log.alert('payment-needs-a-person', fields);
    else deps.log.info('payment-status-found', fields);
    return settled.attempt ?? attempt;
  }
  // The charge may still be on its way: an empty answer proves nothing.
  if (attempt.state === 'sent' && verdict.kind !== 'unreadable') return attempt;
  const isLastLook = verdict.kind === 'empty' && OPENED_AGAIN.includes(attempt.state);
  await recordCheck(deps.db, attempt, verdict, isLastLook ? afterRelease(attempt, at) : next);
  return (await findAttempt(deps.db, attempt.id)) ?? attempt;
}

/** One look is enough for a charge by card; a bank debit that was accepted may settle weeks later. */
function afterRelease({ state, method, providerTxnId, createdAt }: Attempt, at: number): number | null {
  const isReleased = RELEASED.includes(state);
  const mayTurnUp = isReleased && method === 'ach' && providerTxnId !== null && at < createdAt + DEBIT_MAY_SETTLE_MS;
  return mayTurnUp ? at + ACH_RETURN_CHECK_MS : null;
}

/** Nothing is asked for it any more: its outcome is certain, or waits for a person alone. */
function isOver({ state, method, needsHumanFrom }: Attempt, shown: GatewayTransaction[]): boolean {
  if (BOOKED.includes(state)) return method !== 'ach';
  if (state === 'needs_human') return !WATCHED_FROM.includes(needsHumanFrom);
  return state !== 'sent' && !isAskedFor(state, shown);
}

/** A time that was left, as of a bank debit that was given back elsewhere, would let the clinic's clock ring for ever. */
async function endChecks({ db }: Deps, attempt: Attempt): Promise<Attempt> {
  if (attempt.nextCheckAt === null) return attempt;
  await recordCheck(db, attempt, {}, null);
  return { ...attempt, nextCheckAt: null };
}

/**
 * The call that waits for a charge may be gone long before its time is over. So the gateway is asked for it once that
 * call's answer may be lost, or as soon as the gateway has shown money for it.
 */
function canBeAskedFor(attempt: Attempt, at: number, shown: GatewayTransaction[]): boolean {
  if (attempt.state === 'sent') return at - attempt.createdAt >= LINE_MS || shown.some(isMoney);
  return isAskedFor(attempt.state, shown);
}

const isAskedFor = (state: AttemptState, shown: GatewayTransaction[]): boolean =>
  ASKED_FOR.includes(state) || (REFUSED.includes(state) && shown.some(isMoney));

/** The end of the hold is itself a time to look: an attempt must not stay open longer than it needs to. */
function nextCheckAt(attempt: Attempt, at: number): number | null {
  if (attempt.state === 'sent') return attempt.channel === 'terminal' ? at + SALE_CHECK_MS : attempt.nextCheckAt;
  // A sale at a counter terminal was asked for many times while staff waited, so only its empty answers count here.
  const next = at + nextCheckAfter(attempt.channel === 'terminal' ? attempt.emptyChecks : attempt.checks);
  return attempt.state === 'unknown' && at < attempt.holdUntil ? Math.min(next, attempt.holdUntil) : next;
}

/** The Worker that sent this charge is gone and will not write its outcome. */
async function giveUpWaiting(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const at = deps.now();
  const { TERMINAL_TIMEOUT_MS, CHARGE_TIMEOUT_MS, SENT_GRACE_MS } = deps.settings;
  const timeoutMs = attempt.channel === 'terminal' ? TERMINAL_TIMEOUT_MS : CHARGE_TIMEOUT_MS;
  if (at - attempt.createdAt < timeoutMs + SENT_GRACE_MS) return attempt;
  const message = 'no answer was recorded';
  const settled = await settle(deps, attempt, {
    to: 'unknown',
    from: ['sent'],
    at,
    message,
    nextCheckAt: at,
  });
  return settled.attempt ?? attempt;
}

type Verdict =
  | { kind: 'found'; txn: GatewayTransaction }
  | { kind: 'contradiction' }
  | { kind: 'empty' }
  /** A transaction is there, in a state that we do not know. */
  | { kind: 'unreadable'; txnId: string | undefined }
  /** The gateway did not answer, which says nothing about the charge. */
  | { kind: 'unavailable' };

async function askGateway(deps: Deps, attempt: Attempt, shown: GatewayTransaction[]): Promise<Verdict> {
  const lookup = await lookUpCharge(deps, attempt, shown, attempt.checks);
  if (lookup === 'unavailable') return { kind: 'unavailable' };
  const { own, foreign } = lookup;
  if (OPENED_AGAIN.includes(attempt.state)) {
    // Charges of later attempts say nothing about this one. A refusal, a void or a refund only confirms its end.
    const taken = own.filter((txn) => isMoney(txn) && !txn.isVoided);
    if (taken.length === 0) return { kind: 'empty' };
    const standing = await withoutGivenBack(deps, attempt, lookup.terminal, taken);
    return standing.length > 0 ? judge(standing, attempt) : { kind: 'empty' };
  }
  if (own.length > 0) return judge(own, attempt);
  // Nothing under our order id, but this invoice was charged under another one.
  return foreign.length > 0 ? { kind: 'contradiction' } : { kind: 'empty' };
}

function judge(own: GatewayTransaction[], attempt: Attempt): Verdict {
  const money = own.filter(isMoney);
  const [first] = money;
  // Charged twice, or voided already by a person who knows why.
  if (money.length > 1 || first?.isVoided) return { kind: 'contradiction' };
  if (first)
    return first.amountCents === attempt.amountCents ? { kind: 'found', txn: first } : { kind: 'contradiction' };
  const refused = own.find((txn) => txn.state === 'declined' || txn.state === 'returned');
  // A state that we do not know is no proof that nothing moved.
  return refused ? { kind: 'found', txn: refused } : { kind: 'unreadable', txnId: own[0]?.id || undefined };
}

function moveFor(verdict: Verdict, attempt: Attempt, at: number): Move | null {
  const from: Move['from'] = [attempt.state];
  if (verdict.kind === 'contradiction') return attempt.state === 'sent' ? null : toAPerson(attempt, from, at);
  if (verdict.kind === 'found') return moveForFound(verdict.txn, attempt, from, at);
  if (attempt.state !== 'unknown' || at < attempt.holdUntil) return null;
  if (verdict.kind === 'unavailable') return null;
  // What was shown once is there, also where an index does not have it yet.
  if (verdict.kind === 'unreadable' || attempt.providerTxnId) return toAPerson(attempt, from, at);
  if (attempt.emptyChecks + 1 < MIN_EMPTY_CHECKS) return null;
  return { to: 'not_charged', from, at, nextCheckAt: at + LAST_LOOK_MS };
}

/** An attempt that was never released is looked up again: answers in an odd order may have caused the contradiction. */
const toAPerson = (attempt: Attempt, from: Move['from'], at: number): Move => ({
  to: 'needs_human',
  from,
  at,
  nextCheckAt: attempt.state === 'unknown' ? at + nextCheckAfter(attempt.checks) : null,
});

function moveForFound(txn: GatewayTransaction, attempt: Attempt, from: Move['from'], at: number): Move | null {
  if (OPENED_AGAIN.includes(attempt.state)) return toAPerson(attempt, from, at);
  if (txn.state === 'approved') return approval(txn, from, at);
  // Its own call may still be out. A decline would open the invoice again, so it is left to that call.
  if (attempt.state === 'sent' && attempt.channel === 'link') return null;
  if (txn.state === 'pending') return { to: 'pending', from, at, txn, nextCheckAt: at + ACH_CHECK_MS };
  return { to: 'declined', from, at, txn, ...shownDecline(txn, txn) };
}
