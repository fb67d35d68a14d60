import { localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  type claimReversal,
  type GivenBack,
  type ReversalSettlement,
  writeReversal,
} from '#worker/data/refunds/reversals';
import type { Reversal, reversalResolutions } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import { type Acting, auditEvent } from '#worker/domain/audit/event';
import { mayHaveBeenMailed } from '#worker/domain/merchants/after-restore';
import { momentOfMoney } from '#worker/domain/payments/moment-of-money';
import type { Settling } from '#worker/domain/payments/settle';

/** The next state of a void or refund, with the facts to write. */
export type ReversalMove = Pick<ReversalSettlement, 'to' | 'from'> & {
  /** When we learned of it. */
  at: number;
  /** When it was made, as the gateway tells it; null where it tells none. */
  madeAt?: number | null;
  /** Id of the gateway's transaction for it. */
  txnId?: string;
  /** The batch that this transaction stands in; empty where the gateway names none. */
  batchId?: string;
  exchangeId?: string;
  message?: string;
  providerCode?: string;
  nextCheckAt?: number | null;
  /** Cents that a refund really gave back, if not those that were asked for. */
  amountCents?: number;
  /** Set when a person decided it. */
  decision?: Pick<typeof reversalResolutions.$inferInsert, 'id' | 'verdict' | 'note' | 'resolvedBy'>;
};

/** A void takes all that is left, also where a refund was corrected since it was asked for. */
const centsOf = ({ kind, amountCents }: Reversal, attempt: Attempt, { amountCents: really }: ReversalMove): number =>
  kind === 'void' ? attempt.amountCents - attempt.refundedCents : (really ?? amountCents);

/**
 * Consequences of money that went back: the ledger entry on the day of the account's present zone, the state of the payment, and
 * a receipt of its own. Undefined: none went back. For money taken in, see consequencesOf() in domain/payments/settle.
 */
export function givenBack(reversal: Reversal, attempt: Attempt, move: ReversalMove, timeZone = attempt.timeZone) {
  const { to, at: learnedAt, madeAt, txnId } = move;
  if (to !== 'approved' || txnId === undefined) return undefined;
  const at = momentOfMoney(attempt, madeAt, learnedAt);
  const { id, accountId, invoiceId, currency, channel, method, receiptTo } = attempt;
  const { kind } = reversal;
  const mail = { kind: 'receipt', accountId, attemptId: id, invoiceId, recipient: receiptTo } as const;
  return {
    ledgerEntry: {
      ...{ accountId, attemptId: id, invoiceId, kind, currency, channel, method, brand: attempt.cardBrand },
      // A gateway may show the payment itself as voided: that id is in the ledger already.
      providerTxnId: txnId === attempt.providerTxnId ? `${txnId}-${kind}` : txnId,
      amountCents: -centsOf(reversal, attempt, move),
      at,
      day: localDay(at, timeZone),
    },
    payment:
      kind === 'void'
        ? { state: 'voided', when: 'at-once', refundedCents: attempt.refundedCents }
        : { state: 'refunded', when: 'nothing-left' },
    // Not the id of the first receipt: that mail was sent and says "Paid".
    receipt:
      receiptTo === '' ? null : { ...mail, id: `receipt-${reversal.id}`, nextTryAt: learnedAt, createdAt: learnedAt },
  } satisfies GivenBack;
}

/** The event of a void or refund that is about to be sent, or that was made at the gateway itself. */
export const reversalEvent = (
  deps: Acting,
  { id, accountId, attemptId, kind, amountCents, reason }: Parameters<typeof claimReversal>[1],
) =>
  auditEvent(deps, {
    accountId,
    action: 'reversal.claimed',
    subject: ['reversal', id],
    after: { kind, amountCents, payment: attemptId, reason },
  });

/** Settle a void or refund: the move with all consequences, or nothing if it was moved already. */
export async function settleReversal(deps: Settling, reversal: Reversal, attempt: Attempt, move: ReversalMove) {
  const { to, from, at, txnId, batchId, exchangeId, message, providerCode, nextCheckAt, decision } = move;
  const timeZone = to === 'approved' ? await findTimeZone(deps.db, reversal.accountId) : attempt.timeZone;
  const booked: GivenBack | undefined = givenBack(reversal, attempt, move, timeZone);
  const amountCents = booked ? -booked.ledgerEntry.amountCents : reversal.amountCents;
  // Where the provider tells no moment, what was made in its pages may be as old as the payment.
  const since = move.madeAt ?? (reversal.requestedBy === 0 ? attempt.createdAt : reversal.createdAt);
  const owed = booked && { since, at };
  if (owed && (await mayHaveBeenMailed(deps, reversal.accountId, owed))) booked.receipt = null;
  const event = auditEvent(deps, {
    accountId: reversal.accountId,
    action: decision ? 'reversal.resolved' : 'reversal.moved',
    subject: ['reversal', reversal.id],
    after: {
      state: to,
      amountCents,
      payment: booked && attempt.id,
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
    ...(booked && { booked }),
  });
}
