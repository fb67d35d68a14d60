import type { ClosingReply } from '#shared/contracts/payments/batches';
import { decimalFromCents } from '#shared/money';
import type { Db } from '#worker/data/db';
import { findNotDuplicates } from '#worker/data/reconciliation/look-alikes';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

export const isRefund = ({ kind }: Pick<GatewayTransaction, 'kind'>): boolean =>
  ['REFUND', 'CREDIT'].includes(kind.toUpperCase());

/**
 * Net amount of a transaction in cents: positive for a charge, negative for a refund, 0 if no money moved. Null if the
 * gateway has not decided yet, or reports an unknown state.
 */
export function netAmountOf(
  txn: Pick<GatewayTransaction, 'kind' | 'state' | 'isVoided' | 'amountCents'>,
): number | null {
  const { kind, state, isVoided, amountCents } = txn;
  const type = kind.toUpperCase();
  // A void counts as 0, because the payment that it voids is marked.
  if (type === 'VOID' || type === 'AUTH') return 0;
  if (state === 'declined' || state === 'returned' || isVoided) return 0;
  if (state !== 'approved' || amountCents === null) return null;
  return isRefund(txn) ? -amountCents : amountCents;
}

const LOOK_ALIKE_WINDOW_MS = 10 * 60_000;
const SALE_KINDS = new Set(['SALE', 'CAPTURE', 'FORCED SALE']);

type Sale = { at: number; amountCents: number; brand: string; lastFour: string };

/** Groups of sales of the same amount to the same card, each within ten minutes of the previous one, earliest first. */
export function groupLookAlikes<T extends Sale>(sales: T[]): T[][] {
  const groups: T[][] = [];
  const latest = new Map<string, T[]>();
  for (const sale of [...sales].sort((a, b) => a.at - b.at)) {
    if (sale.lastFour === '') continue;
    const key = `${sale.brand.toUpperCase()} ${sale.lastFour} ${sale.amountCents}`;
    const group = latest.get(key);
    if (group && sale.at - (group.at(-1)?.at ?? 0) <= LOOK_ALIKE_WINDOW_MS) {
      group.push(sale);
    } else {
      const newGroup = [sale];
      groups.push(newGroup);
      latest.set(key, newGroup);
    }
  }
  return groups.filter((group) => group.length > 1);
}

/** Excludes groups that staff have set aside by declaring that none of their payments is a duplicate. */
export async function excludeSetAside<T extends { attemptId: string }>(db: Db, groups: T[][]): Promise<T[][]> {
  if (groups.length === 0) return groups;
  const notDuplicateIds = await findNotDuplicates(
    db,
    groups.flat().map(({ attemptId }) => attemptId),
  );
  return groups.filter((group) => group.some(({ attemptId }) => !notDuplicateIds.has(attemptId)));
}

/** Likely duplicates in a batch, without voided sales. */
export function findLikelyDuplicates(transactions: GatewayTransaction[]): (Sale & { attemptId: string })[][] {
  const sales = transactions.flatMap(({ kind, state, isVoided, createdAt, amountCents, brand, lastFour, attemptId }) =>
    SALE_KINDS.has(kind.toUpperCase()) &&
    state === 'approved' &&
    !isVoided &&
    createdAt !== null &&
    amountCents !== null
      ? [{ at: createdAt, amountCents, brand, lastFour, attemptId }]
      : [],
  );
  return groupLookAlikes(sales);
}

export const presentDuplicates = (group: Sale[]): NonNullable<ClosingReply['duplicates']>[number] => ({
  amount: decimalFromCents(group[0]?.amountCents ?? 0),
  'card-type': group[0]?.brand ?? '',
  card: group[0]?.lastFour ?? '',
  created: group.map(({ at }) => new Date(at).toISOString()),
});
