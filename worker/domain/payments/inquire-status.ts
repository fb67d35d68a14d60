import { claimCheck, findAttempt, recordCheck } from '#worker/data/payments/attempts';
import type { Attempt, AttemptState } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/clearent/port';
import { isMoney, lookUpCharge } from './look-up-charge.ts';
import { ACH_CHECK_MS, approval, LAST_LOOK_MS, type Move, nextCheckAfter, settle } from './settle.ts';

/** So many look-ups must have come back empty, by the gateway's own word, before a charge is taken not to have happened. */
const MIN_EMPTY_CHECKS = 3;
/** The platform gives a call so long after its client has gone: the answer of an older one may have been lost with it. */
export const LINE_MS = 35_000;
/** How often a sale on a card reader is asked for whose answer may have been lost. */
const SALE_CHECK_MS = 5_000;
/** Attempts that the invoice was released from. Money that shows up for one of them is for a person to see. */
const RELEASED: AttemptState[] = ['not_charged', 'cancelled', 'timed_out'];

/**
 * Ask the gateway what became of an attempt and move it where the answer allows. Safe to run anywhere, any number of times
 * at once. Answers the attempt as it stands afterwards.
 */
export async function inquirePaymentStatus(deps: Deps, seen: Attempt): Promise<Attempt> {
  if (seen.state === 'approved') return (await import('./ach-returns.ts')).watchAchReturn(deps, seen);
  if (seen.state === 'needs_human')
    return (await import('./resolve-automatically.ts')).resolveAutomatically(deps, seen);
  const attempt = seen.state === 'sent' ? await giveUpWaiting(deps, seen) : seen;
  const at = deps.now();
  if (!canBeAskedFor(attempt, at)) return attempt;

  const next = nextCheckAt(attempt, at);
  if (!(await claimCheck(deps.db, attempt, at, next))) return (await findAttempt(deps.db, attempt.id)) ?? attempt;

  const verdict = await askGateway(deps, attempt);
  const move = moveFor(verdict, attempt, deps.now());
  if (move) {
    const settled = await settle(deps.db, attempt, move).catch((cause: unknown) => {
      // The transaction stands in the ledger for another attempt: one of the two is wrong, and no program can tell which.
      if (!/UNIQUE constraint failed: ledger/.test(String(cause))) throw cause;
      return settle(deps.db, attempt, toAPerson(attempt, ['unknown'], deps.now()));
    });
    if (!settled.moved) return settled.attempt ?? attempt;
    const to = settled.attempt?.state ?? move.to;
    const fields = { attemptId: attempt.id, from: attempt.state, to };
    if (to === 'needs_human') deps.log.alert('payment-needs-a-person', fields);
    else deps.log.info('payment-status-found', fields);
    return settled.attempt ?? attempt;
  }
  // The card reader may be at it still: that nothing is there yet says nothing.
  if (attempt.state === 'sent') return attempt;
  if (verdict.kind === 'contradiction') {
    deps.log.alert('payment-contradicted', { attemptId: attempt.id, state: attempt.state });
  } else if (verdict.kind !== 'found') {
    const isLastLook = verdict.kind === 'empty' && RELEASED.includes(attempt.state);
    await recordCheck(deps.db, attempt, verdict.kind === 'empty', isLastLook ? null : next);
  }
  return (await findAttempt(deps.db, attempt.id)) ?? attempt;
}

/**
 * A sale on a card reader takes minutes, and whoever waits for its answer may be gone: what the gateway has of it is taken
 * before its time is over.
 */
function canBeAskedFor(attempt: Attempt, at: number): boolean {
  if (attempt.state === 'sent') return attempt.channel === 'terminal' && at - attempt.createdAt >= LINE_MS;
  return attempt.state === 'unknown' || attempt.state === 'pending' || RELEASED.includes(attempt.state);
}

/** The end of the hold is itself a moment to look: an attempt must not stay open longer than it needs to. */
function nextCheckAt(attempt: Attempt, at: number): number {
  if (attempt.state === 'pending') return at + ACH_CHECK_MS;
  if (attempt.state === 'sent') return at + SALE_CHECK_MS;
  // A sale on a card reader was looked at again and again while somebody stood before it.
  const next = at + nextCheckAfter(attempt.channel === 'terminal' ? attempt.emptyChecks : attempt.checks);
  return attempt.state === 'unknown' && at < attempt.holdUntil ? Math.min(next, attempt.holdUntil) : next;
}

/** The Worker that sent this charge is gone: nobody else will say what became of it. */
async function giveUpWaiting(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const at = deps.now();
  const { TERMINAL_TIMEOUT_MS, CHARGE_TIMEOUT_MS, SENT_GRACE_MS } = deps.settings;
  const timeoutMs = attempt.channel === 'terminal' ? TERMINAL_TIMEOUT_MS : CHARGE_TIMEOUT_MS;
  if (at - attempt.createdAt < timeoutMs + SENT_GRACE_MS) return attempt;
  const message = 'no answer was recorded';
  const settled = await settle(deps.db, attempt, {
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
  /** It is there, in a word that we do not know. */
  | { kind: 'unreadable' }
  /** The gateway did not answer. This says nothing about the charge. */
  | { kind: 'unavailable' };

async function askGateway(deps: Deps, attempt: Attempt): Promise<Verdict> {
  const sighting = await lookUpCharge(deps, attempt);
  if (sighting === 'unavailable') return { kind: 'unavailable' };
  const { own, foreign } = sighting;
  if (RELEASED.includes(attempt.state)) {
    // What others were charged since says nothing of it; a refusal or a void says only that its release was right.
    const standing = own.filter((txn) => isMoney(txn) && !txn.isVoided);
    return standing.length > 0 ? judge(standing, attempt) : { kind: 'empty' };
  }
  if (own.length > 0) return judge(own, attempt);
  // Nothing under our order id, but this invoice was charged under another one.
  return foreign.length > 0 ? { kind: 'contradiction' } : { kind: 'empty' };
}

function judge(own: GatewayTransaction[], attempt: Attempt): Verdict {
  const money = own.filter(isMoney);
  const [first] = money;
  // Charged twice, or taken back already by somebody who knows why.
  if (money.length > 1 || first?.isVoided) return { kind: 'contradiction' };
  if (first)
    return first.amountCents === attempt.amountCents ? { kind: 'found', txn: first } : { kind: 'contradiction' };
  const refused = own.find((txn) => txn.state === 'declined' || txn.state === 'returned');
  // A word that we do not know is no proof that nothing moved.
  return refused ? { kind: 'found', txn: refused } : { kind: 'unreadable' };
}

function moveFor(verdict: Verdict, attempt: Attempt, at: number): Move | null {
  const from: Move['from'] = [attempt.state];
  // A bank debit that was accepted keeps its state: what contradicts it is for a person to see.
  if (verdict.kind === 'contradiction') {
    return attempt.state === 'pending' || attempt.state === 'sent' ? null : toAPerson(attempt, from, at);
  }
  if (verdict.kind === 'found') return moveForFound(verdict.txn, attempt, from, at);
  if (attempt.state !== 'unknown' || at < attempt.holdUntil) return null;
  if (verdict.kind === 'unreadable') return toAPerson(attempt, from, at);
  if (verdict.kind !== 'empty' || attempt.emptyChecks + 1 < MIN_EMPTY_CHECKS) return null;
  return { to: 'not_charged', from, at, nextCheckAt: at + LAST_LOOK_MS };
}

/** One that was never released is looked at again: what contradicted it may only have come into sight in an odd order. */
const toAPerson = (attempt: Attempt, from: Move['from'], at: number): Move => ({
  to: 'needs_human',
  from,
  at,
  nextCheckAt: attempt.state === 'unknown' ? at + nextCheckAfter(attempt.checks) : null,
});

function moveForFound(txn: GatewayTransaction, attempt: Attempt, from: Move['from'], at: number): Move | null {
  if (RELEASED.includes(attempt.state)) return isMoney(txn) ? toAPerson(attempt, from, at) : null;
  if (txn.state === 'approved') return approval(txn, from, at);
  if (txn.state === 'pending') {
    return attempt.state === 'pending' ? null : { to: 'pending', from, at, txn, nextCheckAt: at + ACH_CHECK_MS };
  }
  const to = attempt.state === 'pending' ? 'returned' : 'declined';
  return { to, from, at, txn, message: txn.message, providerCode: txn.providerCode };
}
