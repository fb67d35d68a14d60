import { localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  type claimReversal,
  type ReturnedMoney,
  type ReversalSettlement,
  writeReversal,
} from '#worker/data/refunds/reversals';
import type { Reversal, reversalResolutions } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { mayHaveBeenMailed } from '#worker/domain/merchants/after-restore';
import { momentOfMoney } from '#worker/domain/payments/moment-of-money';
import type { SettleDeps } from '#worker/domain/payments/settle';

/** The next state of a void or refund, with the facts to write. */
export type ReversalMove = Pick<ReversalSettlement, 'to' | 'from'> & {
  /** The time at which we learned of it. */
  at: number;
  /** The time at which it was made, as reported by the gateway; null if it reports none. */
  madeAt?: number | null;
  /** Id of the gateway's transaction for it. */
  txnId?: string;
  /** The batch of this transaction; empty if the gateway reports none. */
  batchId?: string;
  exchangeId?: string;
  message?: string;
  providerCode?: string;
  nextCheckAt?: number | null;
  /** Cents actually refunded, if they differ from the requested amount. */
  amountCents?: number;
  /** Set when a person decided it. */
  decision?: Pick<typeof reversalResolutions.$inferInsert, 'id' | 'verdict' | 'note' | 'resolvedBy'>;
};

/** A void reverses the whole remaining amount, even if a refund was corrected after the void was requested. */
const centsOf = (
  { kind, amountCents }: Reversal,
  attempt: Attempt,
  { amountCents: actualCents }: ReversalMove,
): number => (kind === 'void' ? attempt.amountCents - attempt.refundedCents : (actualCents ?? amountCents));

/**
 * Consequences of returned money: the ledger entry on the day in the account's current time zone, the payment's state,
 * and a separate receipt. Undefined if none was returned. For money received, see consequencesOf() in
 * domain/payments/settle.
 */
export function refundConsequences(
  reversal: Reversal,
  attempt: Attempt,
  move: ReversalMove,
  timeZone = attempt.timeZone,
) {
  const { to, at: learnedAt, madeAt, txnId } = move;
  if (to !== 'approved' || txnId === undefined) return undefined;
  const at = momentOfMoney(attempt, madeAt, learnedAt);
  const { id, accountId, invoiceId, currency, channel, method, receiptTo } = attempt;
  const { kind } = reversal;
  const mail = { kind: 'receipt', accountId, attemptId: id, invoiceId, recipient: receiptTo } as const;
  return {
    ledgerEntry: {
      accountId,
      attemptId: id,
      invoiceId,
      kind,
      currency,
      channel,
      method,
      brand: attempt.cardBrand,
      // A gateway may show the payment itself as voided; its id is already in the ledger.
      providerTxnId: txnId === attempt.providerTxnId ? `${txnId}-${kind}` : txnId,
      amountCents: -centsOf(reversal, attempt, move),
      at,
      day: localDay(at, timeZone),
    },
    payment:
      kind === 'void'
        ? { state: 'voided', when: 'at-once', refundedCents: attempt.refundedCents }
        : { state: 'refunded', when: 'nothing-left' },
    // The id differs from that of the first receipt, since that email was already sent and says "Paid".
    receipt:
      receiptTo === '' ? null : { ...mail, id: `receipt-${reversal.id}`, nextTryAt: learnedAt, createdAt: learnedAt },
  } satisfies ReturnedMoney;
}

/** The event of a void or refund that is about to be sent, or that was made at the gateway itself. */
export const reversalEvent = (
  deps: AuditDeps,
  { id, accountId, attemptId, kind, amountCents, reason }: Parameters<typeof claimReversal>[1],
) =>
  auditEvent(deps, {
    accountId,
    action: 'reversal.claimed',
    subject: ['reversal', id],
    after: { kind, amountCents, payment: attemptId, reason },
  });

/** Settles a void or refund: writes the move with all its consequences, or nothing if it was already made. */
export async function settleReversal(deps: SettleDeps, reversal: Reversal, attempt: Attempt, move: ReversalMove) {
  const { to, from, at, txnId, batchId, exchangeId, message, providerCode, nextCheckAt, decision } = move;
  const timeZone = to === 'approved' ? await findTimeZone(deps.db, reversal.accountId) : attempt.timeZone;
  const returnedMoney: ReturnedMoney | undefined = refundConsequences(reversal, attempt, move, timeZone);
  const amountCents = returnedMoney ? -returnedMoney.ledgerEntry.amountCents : reversal.amountCents;
  // If the provider reports no time, a reversal made in its portal may be as old as the payment.
  const madeAt = move.madeAt ?? (reversal.requestedBy === 0 ? attempt.createdAt : reversal.createdAt);
  const period = returnedMoney && { since: madeAt, at };
  if (period && (await mayHaveBeenMailed(deps, reversal.accountId, period))) returnedMoney.receipt = null;
  const event = auditEvent(deps, {
    accountId: reversal.accountId,
    action: decision ? 'reversal.resolved' : 'reversal.moved',
    subject: ['reversal', reversal.id],
    after: {
      state: to,
      amountCents,
      payment: returnedMoney && attempt.id,
      code: providerCode || undefined,
      verdict: decision?.verdict,
      note: decision?.note,
    },
  });
  return writeReversal(deps.db, reversal, event, {
    to,
    from,
    columns: {
      nextCheckAt: nextCheckAt ?? null,
      ...(to !== 'unknown' && { settledAt: at }),
      ...(txnId !== undefined && { providerTxnId: txnId }),
      ...(batchId && { batchId }),
      ...(exchangeId && { exchangeId }),
      ...(message !== undefined && { message }),
      ...(providerCode !== undefined && { providerCode }),
      ...(amountCents !== reversal.amountCents && { amountCents }),
    },
    ...(decision && { decision: { ...decision, accountId: reversal.accountId, reversalId: reversal.id, at } }),
    ...(returnedMoney && { returnedMoney }),
  });
}
