import type { Db } from '../db.ts';

/** A card transaction that a void at the provider may still take back, as far as we know. */
export type Unsettled = { providerTxnId: string; terminalId: string; at: number };

/** The gateway's times have no zone: a batch counts as settled for a look this long (ms) after the time it names. */
const ZONE_MS = 86_400_000;

/**
 * Approved card transactions between two moments (ms) that were not seen since their batch was settled, or whose batch
 * we do not know to be settled; those seen longest ago come first. None that was seen since `seenBefore` (ms).
 */
export async function listUnsettled(
  { $client }: Db,
  accountId: number,
  { from, before, seenBefore, limit }: { from: number; before: number; seenBefore: number; limit: number },
): Promise<Unsettled[]> {
  const { results } = await $client
    .prepare(
      `SELECT g.provider_txn_id, g.terminal_id, g.at FROM gateway_transactions g INDEXED BY gateway_transactions_voidable
LEFT JOIN batches b ON b.account_id = g.account_id AND b.terminal_id = g.terminal_id AND b.batch_id = g.batch_id
WHERE g.account_id = ?1 AND g.method = 'card' AND g.state = 'approved' AND g.is_voided = 0 AND g.at >= ?2 AND g.at < ?3
  AND g.seen_at < ?5
  AND NOT coalesce(b.status = 'closed' AND g.seen_at > b.settled_at + ${ZONE_MS}, 0)
ORDER BY g.seen_at, g.provider_txn_id LIMIT ?4`,
    )
    .bind(accountId, from, before, limit, seenBefore)
    .all<{ provider_txn_id: string; terminal_id: string; at: number }>();
  return results.map(({ provider_txn_id, terminal_id, at }) => ({
    providerTxnId: provider_txn_id,
    terminalId: terminal_id,
    at,
  }));
}

/** The oldest of them (ms); null: there is none. */
export const oldestOf = (unsettled: Unsettled[]): number | null =>
  unsettled.length === 0 ? null : Math.min(...unsettled.map(({ at }) => at));
