import type { Books } from '#worker/data/reconciliation/gateway-transactions';
import type { AttemptState, GatewayRow } from '#worker/data/schema/schema';

/**
 * How a transaction of the gateway agrees with our ledger. `netAmountCents` is what it moved in the end, null while the gateway
 * has not decided; `oursCents` is what our ledger says of it, null where it says nothing.
 */
export function verdictOf(
  { netAmountCents, at, seenAt }: Pick<GatewayRow, 'netAmountCents' | 'at' | 'seenAt'>,
  { oursCents, ourSince }: { oursCents: number | null } & Pick<Books, 'ourSince'>,
): GatewayRow['verdict'] {
  if (oursCents !== null && netAmountCents !== null) return oursCents === netAmountCents ? 'matched' : 'amount-differs';
  // Nothing moved, or not yet: there is nothing that our ledger could lack.
  if (netAmountCents === null || netAmountCents === 0) return 'none';
  // From before the merchant's first terminal was ours: it was never in our ledger.
  return (at ?? 0) < (ourSince ?? seenAt) ? 'earlier' : 'only-gateway';
}

/** States of a payment in which its own transaction at the gateway can still change it. */
export const UNDECIDED: AttemptState[] = [
  ...(['sent', 'unknown', 'pending', 'needs_human', 'not_charged', 'cancelled', 'timed_out'] as const),
];
