import { and, eq } from 'drizzle-orm';
import { gatewayTransactions as transactionTable } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

/**
 * The time at which the gateway created a transaction (UTC ms), as last read. Null if the gateway reported no time, or
 * if the transaction was never read.
 */
export async function findTransactionTime(
  db: Db,
  { accountId, method }: Pick<typeof transactionTable.$inferSelect, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<number | null> {
  const [row] = await db
    .select({ at: transactionTable.at })
    .from(transactionTable)
    .where(
      and(
        eq(transactionTable.accountId, accountId),
        eq(transactionTable.method, method),
        eq(transactionTable.providerTxnId, providerTxnId),
      ),
    );
  return row?.at ?? null;
}

/** A card transaction that, according to our data, may still be voided at the provider. */
export type UnsettledTransaction = { providerTxnId: string; terminalId: string; at: number };

/** The gateway's times have no time zone, so a batch only counts as settled this long (ms) after its stated time. */
const ZONE_MS = 86_400_000;

/**
 * Approved card transactions between two times (UTC ms) that have not been read since their batch settled, or whose
 * batch is not known to be settled; longest unread first. Excludes those read at or after `seenBefore` (UTC ms).
 */
export async function listUnsettledTransactions(
  { $client }: Db,
  accountId: number,
  { from, before, seenBefore, limit }: { from: number; before: number; seenBefore: number; limit: number },
): Promise<UnsettledTransaction[]> {
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

/** The time of the oldest transaction (UTC ms); null if there is none. */
export const oldestTimeOf = (unsettled: UnsettledTransaction[]): number | null =>
  unsettled.length === 0 ? null : Math.min(...unsettled.map(({ at }) => at));

/**
 * SQL: the amount of transaction `txn` of merchant `account` in our ledger (cents). `method` separates cards from bank
 * debits, which may share ids. A refund has its own entry and its corrections, whose ids add a suffix after a hyphen. A
 * payment has all entries of its attempt except refunds, so a voided or returned one is 0.
 */
export const ledgerCentsOf = (
  account: string,
  method: string,
  txn: string,
) => `(SELECT CASE WHEN own.kind = 'refund' THEN own.amount_cents
    + coalesce((SELECT sum(more.amount_cents) FROM ledger more WHERE more.account_id = own.account_id
      AND more.provider_txn_id > own.provider_txn_id || '-' AND more.provider_txn_id < own.provider_txn_id || '.'
      AND more.attempt_id = own.attempt_id AND more.kind = 'refund'), 0)
    ELSE (SELECT sum(part.amount_cents) FROM ledger part WHERE part.attempt_id = own.attempt_id AND part.kind <> 'refund') END
  FROM ledger own WHERE own.account_id = ${account} AND own.provider_txn_id = ${txn} AND own.method = ${method})`;

/** SQL: true if the entry corrects a refund; the gateway has no transaction for it. */
export const IS_CORRECTION = `(l.kind = 'refund' AND l.corrects = 1)`;
