import type { ClosingReply } from '#shared/contracts/batches';
import { decimalFromCents } from '#shared/money';
import type { GatewayTransaction } from '#worker/vendors/clearent/port';

const ALIKE_MS = 10 * 60_000;
const SALES = new Set(['SALE', 'CAPTURE', 'FORCED SALE']);

/** Sales of one amount to one card, each within ten minutes of the one before; voided ones do not count. */
export function likelyDuplicates(transactions: GatewayTransaction[]): NonNullable<ClosingReply['duplicates']> {
  const groups: { last: number; txns: GatewayTransaction[] }[] = [];
  const latest = new Map<string, (typeof groups)[number]>();
  for (const txn of [...transactions].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0))) {
    const { createdAt, amountCents, brand, lastFour } = txn;
    const isSale = SALES.has(txn.kind.toUpperCase()) && txn.state === 'approved' && !txn.isVoided;
    if (!isSale || createdAt === null || amountCents === null || lastFour === '') continue;
    const key = `${brand.toUpperCase()} ${lastFour} ${amountCents}`;
    const group = latest.get(key);
    if (group && createdAt - group.last <= ALIKE_MS) {
      group.txns.push(txn);
      group.last = createdAt;
    } else {
      const next = { last: createdAt, txns: [txn] };
      groups.push(next);
      latest.set(key, next);
    }
  }
  return groups
    .filter(({ txns }) => txns.length > 1)
    .map(({ txns }) => ({
      amount: decimalFromCents(txns[0]?.amountCents ?? 0),
      'card-type': txns[0]?.brand ?? '',
      card: txns[0]?.lastFour ?? '',
      created: txns.flatMap(({ createdAt }) => (createdAt === null ? [] : [new Date(createdAt).toISOString()])),
    }));
}
