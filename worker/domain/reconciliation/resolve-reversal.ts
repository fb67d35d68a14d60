import { findAttempt, findLedgerPayment } from '#worker/data/payments/attempts';
import { findReversal } from '#worker/data/refunds/reversals';
import type { Reversal } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { isRefund, netAmountOf } from '#worker/domain/batches/transactions';
import type { Merchant } from '#worker/domain/merchants/session';
import { mergeLookUps } from '#worker/domain/payments/look-up-charge';
import { queryAnyTerminal } from '#worker/domain/payments/query-any-terminal';
import { madeAtOf } from '#worker/domain/refunds/inquire-reversal-status';
import { type ReversalMove, settleReversal } from '#worker/domain/refunds/settle-reversal';
import { causeOf } from '#worker/log';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { ingestTransactions } from './ingest.ts';

export type ReversalDecision = { verdict: 'happened' | 'not-happened'; note: string };

export type ResolveReversalOutcome =
  | { kind: 'resolved'; reversal: Reversal; attempt: Attempt }
  | { kind: 'contradicted'; why: string }
  | { kind: 'not-found' | 'unavailable' };

const ALREADY_DECIDED = { kind: 'contradicted', why: 'This is already decided.' } as const;

/**
 * Applies a person's verdict to an undecided void or refund. The gateway is checked first:
 * `happened` requires money that was returned and is not in our books, and the ledger takes the gateway's amount.
 * `not-happened` requires that the gateway shows none.
 */
export async function resolveReversal(
  deps: Deps,
  merchant: Merchant,
  reversalId: string,
  { verdict, note }: ReversalDecision,
): Promise<ResolveReversalOutcome> {
  const { db, log } = deps;
  const reversal = await findReversal(db, reversalId);
  const attempt = reversal?.accountId === merchant.accountId ? await findAttempt(db, reversal.attemptId) : undefined;
  if (!reversal || !attempt) return { kind: 'not-found' };
  if (reversal.state !== 'needs_human') return ALREADY_DECIDED;
  const seenAt = deps.now();
  const txns = await readTransactions(deps, reversal, attempt);
  if (txns === 'unavailable') return { kind: 'unavailable' };

  const reported = reportedReversals(txns, reversal, attempt);
  const name = deps.gateway.displayName;
  const contradiction =
    verdict === 'happened'
      ? contradictionOfHappened(reported, attempt, name)
      : contradictionOfNotHappened(reported.filter(hasKnownState), name);
  if (contradiction !== null) return { kind: 'contradicted', why: contradiction };
  const decision = { id: deps.newId(), verdict, note, resolvedBy: merchant.userId };
  const from: ReversalMove['from'] = ['needs_human'];
  // Prefer the one with the requested amount. ingestTransactions() adds any others as made at the gateway.
  const match = reported.find(({ cents }) => cents === reversal.amountCents) ?? reported[0];
  const move: ReversalMove =
    verdict === 'happened' && match && match.cents !== null
      ? {
          to: 'approved',
          from,
          at: deps.now(),
          madeAt: match.madeAt,
          txnId: match.txnId,
          amountCents: match.cents,
          decision,
        }
      : { to: 'not_done', from, at: deps.now(), decision };
  const settlement = await settleReversal(deps, reversal, attempt, move).catch((cause: unknown) => {
    // A database constraint prevents a payment from being refunded twice.
    if (!/constraint failed/i.test(String(cause))) throw cause;
    return null;
  });
  if (!settlement) return { kind: 'contradicted', why: 'Our books have changed in the meantime. Please check again.' };
  if (!settlement.moved) return ALREADY_DECIDED;
  log.info('reversal-resolved', { reversalId, verdict, userId: merchant.userId });
  await ingestTransactions(deps, attempt.accountId, 'card', { txns, seenAt }).catch((cause: unknown) =>
    log.info('reconciliation-step-failed', { accountId: attempt.accountId, reversalId, cause: causeOf(cause) }),
  );
  return { kind: 'resolved', reversal: settlement.reversal, attempt };
}

/** The gateway's transactions for a reversal that are not in our books yet. For a void, the payment itself counts. */
async function readTransactions(
  { db, gateway }: Deps,
  reversal: Reversal,
  attempt: Attempt,
): Promise<GatewayTransaction[] | 'unavailable'> {
  const { accountId, terminalId: first } = attempt;
  const result = await queryAnyTerminal({ db }, { accountId, first }, (terminal) =>
    gateway.find(terminal, 'card', { attemptId: reversal.id }),
  );
  if (typeof result === 'string') return 'unavailable';
  const { terminal, answer: orderTransactions } = result;
  const ownTransactions = orderTransactions.filter(({ attemptId }) => attemptId === reversal.id);
  if (reversal.kind === 'void') {
    const payments = await gateway.find(terminal, 'card', { providerTxnId: attempt.providerTxnId ?? '' });
    return payments === 'unavailable'
      ? payments
      : [...ownTransactions, ...payments.filter(({ id }) => id === attempt.providerTxnId)];
  }
  const keyTransactions = await gateway.find(terminal, 'card', { dedupeKey: reversal.dedupeKey });
  if (keyTransactions === 'unavailable') return keyTransactions;
  const ownKeyTransactions = keyTransactions.filter(({ dedupeKey }) => dedupeKey === reversal.dedupeKey);
  const refunds = mergeLookUps(ownTransactions, ownKeyTransactions).filter(isRefund);
  const ledgerPayments = await Promise.all(refunds.map(({ id }) => findLedgerPayment(db, attempt, id)));
  return refunds.filter((_txn, index) => !ledgerPayments[index]);
}

/** `cents` null: the gateway has not decided yet, shows an unknown state, or has no readable amount. */
type ReportedReversal = {
  txnId: string;
  cents: number | null;
  state: GatewayTransaction['state'];
  /** As reported by the gateway; null if it reports none. */
  madeAt: number | null;
};

/** False for an unknown state, which a person may decide. If the gateway later shows money, it is booked. */
const hasKnownState = ({ state }: ReportedReversal): boolean => state !== 'other';

function reportedReversals(txns: GatewayTransaction[], reversal: Reversal, attempt: Attempt): ReportedReversal[] {
  if (reversal.kind === 'refund')
    return txns.flatMap((txn) => {
      const netCents = netAmountOf(txn);
      const { id: txnId, state, createdAt: madeAt } = txn;
      return netCents === 0 ? [] : [{ txnId, cents: netCents === null ? null : -netCents, state, madeAt }];
    });
  if (attempt.state !== 'approved') return [];
  const isVoid = (txn: GatewayTransaction) =>
    txn.id === attempt.providerTxnId ? txn.isVoided : txn.kind.toUpperCase() === 'VOID' && txn.state === 'approved';
  const [first] = txns.filter(isVoid);
  const remainingCents = attempt.amountCents - attempt.refundedCents;
  return first ? [{ txnId: first.id, cents: remainingCents, state: 'approved', madeAt: madeAtOf(first, attempt) }] : [];
}

const undecidedText = (name: string) => `${name} has not decided on it yet.`;

function contradictionOfHappened(reported: ReportedReversal[], attempt: Attempt, name: string): string | null {
  if (reported.length === 0) return `${name} shows no refund that is not already in our books.`;
  const amounts = reported.flatMap(({ cents }) => (cents === null ? [] : [cents]));
  if (amounts.length < reported.length) return undecidedText(name);
  const sum = amounts.reduce((total, cents) => total + cents, 0);
  const remainingCents = attempt.state === 'approved' ? attempt.amountCents - attempt.refundedCents : 0;
  return sum > remainingCents
    ? `${name} shows a larger refund than what was left of the payment. Have the excess corrected there first.`
    : null;
}

function contradictionOfNotHappened(reported: ReportedReversal[], name: string): string | null {
  if (reported.length === 0) return null;
  return reported.some(({ cents }) => cents === null) ? undecidedText(name) : `${name} shows a refund.`;
}
