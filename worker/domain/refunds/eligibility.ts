import type { ReversalOffer } from '#shared/contracts/payments/batches';
import { hasRight } from '#shared/contracts/staff/team-values';
import { decimalFromCents, formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { describeVoidLimit, REFUND_LIMIT_USED_UP } from '#shared/text/staff-roles';
import { findAllowance, type LimitedRequest, type ReversalLimit } from '#worker/data/refunds/allowance';
import type { ReversalState } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import type { GatewayBatch } from '#worker/vendors/gateway-port';

export type OfferContext = {
  attempt: Pick<Attempt, 'state' | 'method' | 'amountCents' | 'refundedCents'>;
  /** State of the pending reversal. */
  reversal: ReversalState | null;
  /** State of the payment's batch; null if the gateway does not report it. */
  batch: GatewayBatch['status'] | null;
  /** Cents that the requester may refund; null if nothing may be refunded. */
  allowance: number | null;
};

/**
 * The reversal that a payment allows now: a full void while its batch is open, afterwards a refund up to the remaining
 * amount. The wrong one of the two is never offered. The remaining amount and the amount that the requester may refund
 * are returned separately, since the smaller one alone would misstate the other.
 */
export function offerFor(context: OfferContext): ReversalOffer {
  const { attempt, batch } = context;
  const leftCents = attempt.state === 'approved' ? attempt.amountCents - attempt.refundedCents : 0;
  const remaining = decimalFromCents(leftCents);
  const may_refund = decimalFromCents(Math.min(leftCents, context.allowance ?? 0));
  const reason = reasonAgainstReversal(context);
  if (reason !== null) return { kind: null, left: remaining, may_refund, why: reason };
  return { kind: batch === 'open' ? 'void' : 'refund', left: remaining, may_refund, why: null };
}

function reasonAgainstReversal({ attempt, reversal, batch, allowance }: OfferContext): string | null {
  if (attempt.state === 'voided') return 'This payment was voided.';
  if (attempt.state === 'refunded') return 'This payment was refunded in full.';
  if (attempt.state === 'returned') return 'The bank returned this payment.';
  if (attempt.state !== 'approved') return 'This payment is not approved.';
  if (attempt.method === 'ach') return 'A payment from a bank account cannot be refunded here.';
  // The screens offer no refund to users without the right, so this is for direct calls.
  if (allowance === null) return 'Only an administrator of this account may void or refund a payment.';
  if (allowance === 0) return REFUND_LIMIT_USED_UP;
  if (reversal === 'needs_human') return 'Someone must first check an earlier refund of this payment.';
  if (reversal !== null)
    return 'The outcome of an earlier attempt is not known yet. Please wait until it is confirmed.';
  switch (batch) {
    case 'closed':
      return null;
    case 'open':
      if (attempt.refundedCents > 0) return 'Part of it was refunded: refund the rest once its batch is closed.';
      return attempt.amountCents > allowance ? describeVoidLimit(formatMoney(allowance, ONLINE_CURRENCY)) : null;
    case 'pending':
      return 'Its batch is being closed. Please try again in a moment.';
    case 'failed':
      return 'Its batch could not be closed. Close it again first.';
    default:
      return 'The card provider does not show its batch.';
  }
}

const DAY_MS = 86_400_000;

/**
 * A manager's limit on refunds per 24 hours, as set for the account; null for no limit. The claim and a new request for
 * approval check it too, since two requests may run at once. `request`: the refund in question, if any.
 */
export function limitOf(
  deps: Deps,
  { role, accountId, userId }: Merchant,
  request: LimitedRequest | null = null,
): ReversalLimit | null {
  if (hasRight(role, 'refund-any-amount')) return null;
  const now = deps.now();
  return { accountId, userId, since: now - DAY_MS, now, request };
}

/**
 * Cents that a user may refund now: any amount for administrators, the remaining limit for managers; null for users
 * without the right to refund. Refunds that the card provider refused do not count.
 */
export async function allowanceOf(
  deps: Deps,
  merchant: Merchant,
  limit: ReversalLimit | null = limitOf(deps, merchant),
): Promise<number | null> {
  if (limit === null) return Number.POSITIVE_INFINITY;
  return hasRight(merchant.role, 'refund') ? findAllowance(deps.db, limit) : null;
}
