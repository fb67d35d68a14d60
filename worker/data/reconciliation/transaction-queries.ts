import { and, eq } from 'drizzle-orm';
import { gatewayTransactions as g } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

/** When the gateway made a transaction (UTC ms), as it told us last. Null: it told no time, or we never saw it. */
export async function findMadeAt(
  db: Db,
  { accountId, method }: Pick<typeof g.$inferSelect, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<number | null> {
  const [seen] = await db
    .select({ at: g.at })
    .from(g)
    .where(and(eq(g.accountId, accountId), eq(g.method, method), eq(g.providerTxnId, providerTxnId)));
  return seen?.at ?? null;
}

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

/** What our ledger has of the gateway's transactions, as SQL. */

/**
 * SQL: cents of the transaction `txn` of the merchant `account` in our ledger; `method` tells a card's number from a debit's. For a refund, its own entry and those that
 * correct it, which have its id and more behind a hyphen; for a payment, all entries of its attempt except refunds, so
 * that a voided or returned one comes to 0.
 */
export const oursOf = (
  account: string,
  method: string,
  txn: string,
) => `(SELECT CASE WHEN own.kind = 'refund' THEN own.amount_cents
    + coalesce((SELECT sum(more.amount_cents) FROM ledger more WHERE more.account_id = own.account_id
      AND more.provider_txn_id > own.provider_txn_id || '-' AND more.provider_txn_id < own.provider_txn_id || '.'
      AND more.attempt_id = own.attempt_id AND more.kind = 'refund'), 0)
    ELSE (SELECT sum(part.amount_cents) FROM ledger part WHERE part.attempt_id = own.attempt_id AND part.kind <> 'refund') END
  FROM ledger own WHERE own.account_id = ${account} AND own.provider_txn_id = ${txn} AND own.method = ${method})`;

/** SQL: the entry corrects a refund, so the gateway has no transaction of it. */
export const IS_CORRECTION = `(l.kind = 'refund' AND l.corrects = 1)`;
