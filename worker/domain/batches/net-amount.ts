import type { GatewayTransaction } from '#worker/vendors/gateway-port';

export const isRefund = ({ kind }: Pick<GatewayTransaction, 'kind'>): boolean =>
  ['REFUND', 'CREDIT'].includes(kind.toUpperCase());

/**
 * Net amount of a transaction in cents: positive for money taken in, negative for money given back, 0 where none moved.
 * Null: the gateway has not decided yet, or in a state that we do not know.
 */
export function netAmountOf(
  txn: Pick<GatewayTransaction, 'kind' | 'state' | 'isVoided' | 'amountCents'>,
): number | null {
  const { kind, state, isVoided, amountCents } = txn;
  const word = kind.toUpperCase();
  // A void says nothing by itself: the payment that it voids is marked.
  if (word === 'VOID' || word === 'AUTH') return 0;
  if (state === 'declined' || state === 'returned' || isVoided) return 0;
  if (state !== 'approved' || amountCents === null) return null;
  return isRefund(txn) ? -amountCents : amountCents;
}
