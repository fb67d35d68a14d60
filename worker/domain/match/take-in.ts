import type { PaymentMethod } from '#shared/contracts/payment';
import { keepTransactions } from '../../data/gateway-transactions.ts';
import type { GatewayRow } from '../../data/schema.ts';
import type { Deps } from '../../deps.ts';
import type { GatewayTransaction } from '../../ports/gateway.ts';
import { effectOf } from './effect.ts';
import { follow } from './follow.ts';

/**
 * Keep what the gateway has just shown and hold it against our books. Where it knows more than they do, the payment itself
 * is looked at once more by whoever settles such payments; what differs after that is for a person. Answers the rows as
 * they stand afterwards.
 */
export async function takeIn(
  deps: Deps,
  hubId: number,
  method: PaymentMethod,
  txns: GatewayTransaction[],
): Promise<GatewayRow[]> {
  const keep = (some: GatewayTransaction[]) =>
    keepTransactions(
      deps.db,
      hubId,
      some.map((txn) => ({ txn, method, effectCents: effectOf(txn) })),
      deps.now(),
    );
  const rows = await keep(txns);
  const moved = new Set<string>();
  for (const row of rows) if (await follow(deps, row)) moved.add(row.providerTxnId);
  if (moved.size === 0) return rows;
  const again = await keep(txns.filter(({ id }) => moved.has(id)));
  const byId = new Map(again.map((row) => [row.providerTxnId, row]));
  return rows.map((row) => byId.get(row.providerTxnId) ?? row);
}
