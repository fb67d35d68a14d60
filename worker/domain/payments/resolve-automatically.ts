import { mayResolveAutomatically } from '#worker/data/payments/attempt-checks';
import { claimCheck, findAttempt } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { moveForEscalatedDebit } from './ach-debit.ts';
import { type ChargeLookUp, lookUpCharge, lookUpOtherMethod, mayBeForeignMoney } from './look-up-charge.ts';
import { ACH_CHECK_MS, approvalMove, type Move, nextCheckAfter, settle } from './settle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The gateway keeps a transaction for 90 days. From this age on, only a person decides. */
const CARD_WATCH_MS = 60 * DAY_MS;
/** A bank debit may settle or be returned as long as the gateway keeps it. */
export const DEBIT_WATCH_MS = 90 * DAY_MS;

/**
 * Checks an attempt in `needs_human` again and approves it if nothing contradicts it any longer: it came from `unknown`
 * or `pending` and was never released (which the caller has checked); exactly one approved charge of its amount is
 * under its order id, neither voided nor refunded; no foreign charge is under its dedupe key, by card or bank debit; no
 * other attempt of its invoice and collection is live, approved or refunded; no person has decided. A bank debit also
 * ends if the gateway shows that no money arrived. All other cases stay with a person. `reported`: transactions of the
 * attempt that the gateway has just shown. Returns the updated attempt.
 */
export async function resolveAutomatically(
  deps: Deps,
  attempt: Attempt,
  reported: GatewayTransaction[] = [],
): Promise<Attempt> {
  const { db, log } = deps;
  const at = deps.now();
  if (!(await claimCheck(db, attempt, at, nextCheck(attempt, at))))
    return (await findAttempt(db, attempt.id)) ?? attempt;

  const move = await moveFor(deps, attempt, reported);
  if (!move?.txn) return (await findAttempt(db, attempt.id)) ?? attempt;
  const guard = move.to === 'approved' ? mayResolveAutomatically(attempt, move.txn.id) : undefined;
  const settlement = await settle(deps, attempt, move, guard);
  if (settlement.moved) log.info('payment-status-found', { attemptId: attempt.id, from: 'needs_human', to: move.to });
  const currentAttempt = settlement.attempt ?? attempt;
  return currentAttempt.state === 'not_charged' ? escalateAgain(deps, currentAttempt) : currentAttempt;
}

/** Returns an attempt to a person, because its charge was found while another person released it. */
async function escalateAgain(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const move = { to: 'needs_human' as const, from: ['not_charged' as const], at: deps.now() };
  const settlement = await settle(deps, attempt, move);
  const { id: attemptId, accountId } = attempt;
  if (settlement.moved)
    deps.log.alert('payment-needs-a-person', { accountId, attemptId, from: 'not_charged', to: move.to });
  return settlement.attempt ?? attempt;
}

/** The time of the next check (UTC ms). The pauses grow with the attempt's age. Null if no more checks are useful. */
function nextCheck({ checks, createdAt, needsHumanFrom }: Attempt, at: number): number | null {
  const age = at - createdAt;
  if (needsHumanFrom === 'pending') return age > DEBIT_WATCH_MS ? null : at + ACH_CHECK_MS;
  if (age > CARD_WATCH_MS) return null;
  return at + (age > DAY_MS ? HOUR_MS : nextCheckAfter(checks));
}

async function moveFor(deps: Deps, attempt: Attempt, reported: GatewayTransaction[]): Promise<Move | null> {
  const lookup = await lookUpCharge(deps, attempt, reported, attempt.checks);
  if (lookup === 'unavailable') return null;
  const end = attempt.needsHumanFrom === 'pending' ? moveForEscalatedDebit(lookup, attempt, deps.now()) : null;
  if (end) return end;
  const txn = await findSingleCharge(deps, attempt, lookup);
  return txn && approvalMove(txn, ['needs_human'], deps.now());
}

/** The single charge of this attempt. Null if the gateway does not answer or shows a contradiction. */
async function findSingleCharge(
  deps: Deps,
  attempt: Attempt,
  lookup: ChargeLookUp,
): Promise<GatewayTransaction | null> {
  const txn = findUncontradictedCharge(lookup, attempt);
  if (!txn) return null;
  // Only the accepted debit counts, not another one under its order id.
  if (attempt.needsHumanFrom === 'pending' && txn.id !== attempt.providerTxnId) return null;
  const foreignTransactions = await lookUpOtherMethod(deps, lookup.terminal, attempt);
  return foreignTransactions === 'unavailable' || foreignTransactions.length > 0 ? null : txn;
}

function findUncontradictedCharge({ ownCharges, all }: ChargeLookUp, attempt: Attempt): GatewayTransaction | null {
  const acceptedTransactions = all.filter(({ state }) => state !== 'declined');
  const [txn, ...others] = acceptedTransactions.filter(({ attemptId }) => attemptId === attempt.id);
  // A void or a refund under our order id counts among the others.
  if (txn?.state !== 'approved' || txn.id === '' || others.length > 0 || !ownCharges.includes(txn)) return null;
  if (txn.amountCents !== attempt.amountCents) return null;
  if (txn.isVoided || acceptedTransactions.some((other) => mayReverse(other, txn))) return null;
  // An unknown state does not prove that no money moved.
  return all.some((other) => mayBeForeignMoney(other, attempt)) ? null : txn;
}

/** True for a void or refund of `txn`, or one without a parent transaction, since it may be of `txn`. */
const mayReverse = ({ kind, parentId }: GatewayTransaction, txn: GatewayTransaction) =>
  parentId === txn.id || (parentId === '' && ['VOID', 'REFUND', 'CREDIT'].includes(kind.toUpperCase()));
