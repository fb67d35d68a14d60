import { findAttempt, findLedgerPayment } from '#worker/data/payments/attempts';
import type { OurRecords, StoredTransaction } from '#worker/data/reconciliation/gateway-transactions';
import { claimReversal, findReversal } from '#worker/data/refunds/reversals';
import type { Attempt, AttemptState, GatewayRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import { isRefund } from '#worker/domain/batches/transactions';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { correctRefund } from '#worker/domain/refunds/correct-refund';
import { reconcileReversal } from '#worker/domain/refunds/inquire-reversal-status';
import { reversalEvent } from '#worker/domain/refunds/settle-reversal';
import { causeOf } from '#worker/log';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

/**
 * The verdict on a gateway transaction compared with our ledger. `netAmountCents` is null while the gateway has not
 * decided, and `ledgerCents` is null if our ledger has no entry.
 */
export function verdictOf(
  { netAmountCents, at, seenAt }: Pick<GatewayRow, 'netAmountCents' | 'at' | 'seenAt'>,
  { ledgerCents, ourSince }: { ledgerCents: number | null } & Pick<OurRecords, 'ourSince'>,
): GatewayRow['verdict'] {
  if (ledgerCents !== null) return ledgerCents === netAmountCents ? 'matched' : 'amount-differs';
  // No money has moved, so our ledger lacks nothing.
  if (netAmountCents === null || netAmountCents === 0) return 'none';
  // It is older than the merchant's first terminal with us, so it was never in our ledger.
  return (at ?? 0) < (ourSince ?? seenAt) ? 'earlier' : 'only-gateway';
}

/** States of a payment that its gateway transaction can still change. */
export const UNDECIDED_STATES: AttemptState[] = [
  ...(['sent', 'unknown', 'pending', 'needs_human', 'not_charged', 'cancelled', 'timed_out'] as const),
];

/**
 * Updates our books from a gateway transaction, through the functions that settle payments and reversals. Returns true
 * if an update was attempted. Queries the database only if an update is possible, and then reads the payment again,
 * since an earlier row may have changed it. `reported`: the transaction itself.
 */
export async function applyState(deps: Deps, row: StoredTransaction, reported: GatewayTransaction[]): Promise<boolean> {
  try {
    return isRefund(row) ? await applyRefund(deps, row) : await applyPayment(deps, row, reported);
  } catch (cause) {
    deps.log.info('reconciliation-step-failed', {
      accountId: row.accountId,
      txnId: row.providerTxnId,
      cause: causeOf(cause),
    });
    return false;
  }
}

async function applyPayment(deps: Deps, row: StoredTransaction, reported: GatewayTransaction[]): Promise<boolean> {
  const { providerTxnId } = row;
  const awaitedAttempt = row.isAwaited ? await findAttempt(deps.db, row.orderId) : undefined;
  if (awaitedAttempt && (UNDECIDED_STATES.includes(awaitedAttempt.state) || row.verdict === 'only-gateway')) {
    await inquirePaymentStatus(deps, awaitedAttempt, reported);
    return true;
  }
  if (row.verdict !== 'amount-differs') return false;
  const isReturned = row.method === 'ach' && (row.state === 'returned' || row.state === 'declined');
  const isVoided = row.isVoided && row.netAmountCents === 0;
  const bookedPayment = isReturned || isVoided ? await findLedgerPayment(deps.db, row, providerTxnId) : undefined;
  if (isReturned && (bookedPayment?.state === 'approved' || bookedPayment?.state === 'refunded')) {
    await inquirePaymentStatus(deps, bookedPayment);
    return true;
  }
  if (bookedPayment?.state !== 'approved') return false;
  return bookPortalReversal(deps, bookedPayment, {
    kind: 'void',
    id: `${methodPrefix(row)}${providerTxnId}-void`,
    txnId: providerTxnId,
    batchId: row.batchId,
  });
}

async function applyRefund(deps: Deps, row: StoredTransaction): Promise<boolean> {
  if (row.verdict === 'amount-differs' && row.netAmountCents !== null) {
    return correctRefund(deps, row, row.providerTxnId, -row.netAmountCents);
  }
  if (row.verdict !== 'only-gateway' || row.netAmountCents === null || !row.isOfOurs) return false;
  const bookedPayment = await findLedgerPayment(deps.db, row, row.parentId);
  if (!bookedPayment) return false;
  const existingReversal = row.orderId ? await findReversal(deps.db, row.orderId) : undefined;
  // A second refund under the same order id is as real as one made in the provider's portal.
  const isSecond = existingReversal?.state === 'approved' && existingReversal.providerTxnId !== row.providerTxnId;
  if (existingReversal?.attemptId === bookedPayment.id && !isSecond) {
    await reconcileReversal(deps, existingReversal, bookedPayment);
    return true;
  }
  const { providerTxnId } = row;
  return bookPortalReversal(deps, bookedPayment, {
    kind: 'refund',
    id: `elsewhere-${row.accountId}-${methodPrefix(row)}${providerTxnId}`,
    txnId: providerTxnId,
    batchId: row.batchId,
    cents: -row.netAmountCents,
  });
}

/** Keeps ids distinct, since a bank debit and a card transaction may have the same id. */
const methodPrefix = ({ method }: StoredTransaction) => (method === 'ach' ? 'ach-' : '');

type PortalReversal = { kind: 'void' | 'refund'; id: string; txnId: string; batchId: string; cents?: number };

/** Records a void or refund that was made in the provider's portal, so that it is not repeated here. */
async function bookPortalReversal(
  deps: Deps,
  attempt: Attempt,
  { kind, id, txnId, batchId, cents }: PortalReversal,
): Promise<boolean> {
  const { db, now, log } = deps;
  const at = now();
  const reversal = {
    id,
    accountId: attempt.accountId,
    attemptId: attempt.id,
    invoiceId: attempt.invoiceId,
    kind,
    amountCents: cents ?? attempt.amountCents - attempt.refundedCents,
    dedupeKey: id,
    requestKey: id,
    reason: 'Made at the card provider',
    requestedBy: 0,
    // Set from the start, so that the schedule can finish it after a database failure between claim and settlement.
    providerTxnId: txnId,
    batchId,
    holdUntil: at,
    nextCheckAt: at,
    createdAt: at,
  };
  const { claimed } = await claimReversal(db, reversal, attempt, reversalEvent(bySystem(deps), reversal), null);
  if (!claimed) return false;
  await reconcileReversal(deps, claimed, attempt);
  log.info('reversal-made-elsewhere', { attemptId: attempt.id, kind, txnId });
  return true;
}
