import type { Books } from '#worker/data/reconciliation/gateway-transactions';
import type { AttemptState, GatewayRow } from '#worker/data/schema/schema';

/**
 * How a gateway transaction agrees with our ledger. `netAmountCents` is null while the gateway has not decided,
 * `oursCents` where our ledger has no entry.
 */
export function verdictOf(
  { netAmountCents, at, seenAt }: Pick<GatewayRow, 'netAmountCents' | 'at' | 'seenAt'>,
  { oursCents, ourSince }: { oursCents: number | null } & Pick<Books, 'ourSince'>,
): GatewayRow['verdict'] {
  if (oursCents !== null) return oursCents === netAmountCents ? 'matched' : 'amount-differs';
  // Nothing moved, or not yet: our ledger cannot lack it.
  if (netAmountCents === null || netAmountCents === 0) return 'none';
  // From before the merchant's first terminal was ours, so never in our ledger.
  return (at ?? 0) < (ourSince ?? seenAt) ? 'earlier' : 'only-gateway';
}

/** States of a payment that its own transaction at the gateway can still change. */
export const UNDECIDED: AttemptState[] = [
  ...(['sent', 'unknown', 'pending', 'needs_human', 'not_charged', 'cancelled', 'timed_out'] as const),
];
