import { recordDebitCheck } from '#worker/data/payments/attempt-checks';
import { claimCheck, findAttempt } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { type ChargeLookUp, hasFailed, isMoney, lookUpCharge } from './look-up-charge.ts';
import { findByAnyTerminal } from './query-any-terminal.ts';
import { ACH_CHECK_MS, ACH_RETURN_CHECK_MS, approvalMove, type Move, settle } from './settle.ts';

/** A consumer may have a debit returned for 60 days after settlement; the gateway keeps it for 90. */
const RETURN_WATCH_MS = 65 * 86_400_000;

const terminalQuery = ({ accountId, terminalId: first, checks: turn }: Attempt) => ({ accountId, first, turn });

/** Checks whether a settled bank debit was returned. Returns the updated attempt. */
export async function watchAchReturn(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const { db, log, now } = deps;
  if (attempt.method !== 'ach') return attempt;
  const at = now();
  const next = at + ACH_RETURN_CHECK_MS;
  const watchUntil = (attempt.settledAt ?? attempt.createdAt) + RETURN_WATCH_MS;
  const isClaimed = await claimCheck(db, attempt, at, next > watchUntil ? null : next);
  const response = isClaimed
    ? await findByAnyTerminal(deps, terminalQuery(attempt), 'ach', { attemptId: attempt.id })
    : 'unavailable';
  const txn =
    response === 'unavailable'
      ? undefined
      : // The comparison with the gateway's list books a voided debit as a void.
        response.find((debit) => debit.id === attempt.providerTxnId && !debit.isVoided && hasFailed(debit));
  if (txn) {
    const { message, providerCode } = txn;
    const settlement = await settle(deps, attempt, {
      to: 'returned',
      // The bank does not know about a refund, so the clinic then loses the amount twice.
      from: ['approved', 'refunded'],
      at: now(),
      txn,
      message,
      providerCode,
    });
    if (settlement.moved)
      log.alert('bank-debit-returned-late', { accountId: attempt.accountId, attemptId: attempt.id, providerCode });
  }
  return (await findAttempt(db, attempt.id)) ?? attempt;
}

/** A debit settles or is returned within days; after this time (ms) without either, a person decides. */
export const PENDING_LIMIT_MS = 14 * 86_400_000;
/** After this many consecutive scheduled lookups (about a day) without a readable debit, a person decides. */
const MAX_UNREAD_CHECKS = 6;

type Verdict =
  | { kind: 'settled' | 'ended'; txn: GatewayTransaction }
  | { kind: 'on-its-way' }
  /** Missing, or in an unknown state. */
  | { kind: 'unread' }
  /** Another amount, or more than one charge. */
  | { kind: 'contradiction' }
  /** The gateway did not answer, which proves nothing about the debit. */
  | { kind: 'unavailable' };

/**
 * Checks the outcome of a bank debit that the gateway has accepted. It ends when the gateway shows that it settled, or
 * that no money arrived. If neither is known in time, a person decides.
 */
export async function watchPendingDebit(
  deps: Deps,
  attempt: Attempt,
  reported: GatewayTransaction[] = [],
): Promise<Attempt> {
  const { db, log } = deps;
  const at = deps.now();
  // Pages and webhooks may trigger a lookup at any time; only scheduled lookups are counted.
  const isScheduled = attempt.nextCheckAt !== null && at >= attempt.nextCheckAt;
  const next = at + ACH_CHECK_MS;
  if (!(await claimCheck(db, attempt, at, next))) return (await findAttempt(db, attempt.id)) ?? attempt;

  const ids = { accountId: attempt.accountId, attemptId: attempt.id };
  const verdict = await queryGateway(deps, attempt, reported);
  if (verdict.kind === 'unavailable')
    log.info('status-inquiry-failed', { clinic: deps.clinic, ...ids, cause: 'the card provider does not answer' });
  if (verdict.kind === 'contradiction') log.alert('payment-contradicted', { ...ids, state: attempt.state });
  const isUnread = verdict.kind === 'unread' || verdict.kind === 'contradiction';
  const unreadChecks = isUnread ? attempt.emptyChecks + (isScheduled ? 1 : 0) : 0;
  const move = moveFor(verdict, attempt, unreadChecks, deps.now());
  if (!move) {
    if (verdict.kind !== 'unavailable') await recordDebitCheck(db, attempt, unreadChecks);
    return (await findAttempt(db, attempt.id)) ?? attempt;
  }
  const settlement = await settle(deps, attempt, move).catch((cause: unknown) => {
    // The transaction is in the ledger for another attempt. One of the two is wrong, and no program can tell which.
    if (!/UNIQUE constraint failed: ledger/.test(String(cause))) throw cause;
    return settle(deps, attempt, escalate(deps.now()));
  });
  if (!settlement.moved) return settlement.attempt ?? attempt;
  const to = settlement.attempt?.state ?? move.to;
  const fields = { ...ids, from: attempt.state, to };
  if (to === 'needs_human') log.alert('payment-needs-a-person', fields);
  else log.info('payment-status-found', fields);
  return settlement.attempt ?? attempt;
}

async function queryGateway(deps: Deps, attempt: Attempt, reported: GatewayTransaction[]): Promise<Verdict> {
  const lookup = await lookUpCharge(deps, attempt, reported);
  if (lookup === 'unavailable') return { kind: 'unavailable' };
  const debits = debitsOf(lookup, attempt);
  if (debits.length > 0) return judge(debits, attempt);
  if (lookup.foreignCharges.length > 0) return { kind: 'contradiction' };
  // Order id and key are separate indexes; the debit's own id is a third way to find it.
  const providerTxnId = attempt.providerTxnId ?? '';
  const byId = await deps.gateway.find(lookup.terminal, 'ach', { providerTxnId });
  if (byId === 'unavailable') return { kind: 'unavailable' };
  return judge(
    byId.filter(({ id }) => id !== '' && id === providerTxnId),
    attempt,
  );
}

/** The accepted debit if it is listed. Otherwise, the debits under its order id. */
function debitsOf({ ownCharges, all }: ChargeLookUp, attempt: Attempt): GatewayTransaction[] {
  const accepted = all.filter(({ id }) => id !== '' && id === attempt.providerTxnId);
  return accepted.length > 0 ? accepted : ownCharges;
}

function judge(debits: GatewayTransaction[], attempt: Attempt): Verdict {
  const [first] = debits;
  if (!first) return { kind: 'unread' };
  if (debits.every(hasFailed)) return { kind: 'ended', txn: first };
  const [money, ...others] = debits.filter((txn) => isMoney(txn) && !txn.isVoided);
  if (!money) return { kind: 'unread' };
  if (others.length > 0 || money.amountCents !== attempt.amountCents) return { kind: 'contradiction' };
  return money.state === 'approved' ? { kind: 'settled', txn: money } : { kind: 'on-its-way' };
}

function moveFor(verdict: Verdict, attempt: Attempt, unreadChecks: number, at: number): Move | null {
  if (verdict.kind === 'settled') return approvalMove(verdict.txn, ['pending'], at);
  if (verdict.kind === 'ended') return returnMove(verdict.txn, ['pending'], at);
  const isLate = at >= attempt.createdAt + PENDING_LIMIT_MS;
  return isLate || unreadChecks >= MAX_UNREAD_CHECKS ? escalate(at) : null;
}

const returnMove = (txn: GatewayTransaction, from: Move['from'], at: number): Move => ({
  to: 'returned',
  from,
  at,
  txn,
  message: txn.message,
  providerCode: txn.providerCode,
});

/** Checks continue, since the gateway may still show the outcome. */
const escalate = (at: number): Move => ({ to: 'needs_human', from: ['pending'], at, nextCheckAt: at + ACH_CHECK_MS });

/** The move of a debit in `needs_human`, if the gateway now shows that no money arrived. */
export function moveForEscalatedDebit(lookup: ChargeLookUp, attempt: Attempt, at: number): Move | null {
  const debits = lookup.all.filter(({ id }) => id !== '' && id === attempt.providerTxnId);
  const [first] = debits;
  return first && debits.every(hasFailed) ? returnMove(first, ['needs_human'], at) : null;
}
