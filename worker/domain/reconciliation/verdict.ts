import type { Books } from '../../data/gateway-transactions.ts';
import type { AttemptState, GatewayRow } from '../../data/schema.ts';

/**
 * How a transaction of the gateway agrees with our ledger. `effectCents` is what it moved in the end, null while the gateway
 * has not decided; `oursCents` is what our ledger says of it, null where it says nothing.
 */
export function verdictOf(
  { effectCents, at, seenAt }: Pick<GatewayRow, 'effectCents' | 'at' | 'seenAt'>,
  { oursCents, ourSince }: { oursCents: number | null } & Pick<Books, 'ourSince'>,
): GatewayRow['verdict'] {
  if (oursCents !== null && effectCents !== null) return oursCents === effectCents ? 'matched' : 'amount-differs';
  // Nothing moved, or not yet: there is nothing that our ledger could lack.
  if (effectCents === null || effectCents === 0) return 'none';
  // From before the merchant's first terminal was ours: it was never in our ledger.
  return (at ?? 0) < (ourSince ?? seenAt) ? 'earlier' : 'only-gateway';
}

/** States of a payment in which its own transaction at the gateway can still change it. */
export const UNDECIDED: AttemptState[] = [
  ...(['sent', 'unknown', 'pending', 'needs_human', 'not_charged', 'cancelled', 'timed_out'] as const),
];
