import type { GatewayTransaction } from '#worker/vendors/clearent/port';

export const isRefund = ({ kind }: Pick<GatewayTransaction, 'kind'>): boolean =>
  ['REFUND', 'CREDIT'].includes(kind.toUpperCase());

/**
 * What a transaction moved in the end, cents: taken in is positive, given back negative, 0 where no money moved. Null: the
 * gateway has not decided yet, or says it in a word that we do not know.
 */
export function netAmountOf(txn: GatewayTransaction): number | null {
  const { kind, state, isVoided, amountCents } = txn;
  const word = kind.toUpperCase();
  // A void says nothing by itself: the payment that it takes back is marked.
  if (word === 'VOID' || word === 'AUTH') return 0;
  if (state === 'declined' || state === 'returned' || isVoided) return 0;
  if (state !== 'approved' || amountCents === null) return null;
  return isRefund(txn) ? -amountCents : amountCents;
}
