import { and, asc, eq, sql } from 'drizzle-orm';
import { reversals } from '#worker/data/schema/refunds';
import { type Attempt, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { type Db, unindexed } from '../db.ts';

/** A transaction of the gateway that stands in our ledger, with its payment. */
export type LedgerEntry = {
  providerTxnId: string;
  kind: (typeof ledger.$inferSelect)['kind'];
  attempt: Attempt;
  /** Of the reversal that is under way. */
  reversal: (typeof reversals.$inferSelect)['state'] | null;
};

/** Which of these transactions stand in an account's ledger, by their ids. */
export async function listLedgerEntries(
  db: Db,
  accountId: number,
  providerTxnIds: string[],
): Promise<Map<string, LedgerEntry>> {
  const rows = await db
    .select({
      providerTxnId: ledger.providerTxnId,
      kind: ledger.kind,
      attempt: paymentAttempts,
      reversal: reversals.state,
    })
    .from(ledger)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, ledger.attemptId))
    .leftJoin(
      reversals,
      and(
        eq(reversals.attemptId, paymentAttempts.id),
        // As the partial index words it, so that it is used.
        sql`${reversals.state} IN ('sent', 'unknown', 'needs_human')`,
      ),
    )
    .where(
      and(
        eq(ledger.accountId, accountId),
        sql`${ledger.providerTxnId} IN (SELECT value FROM json_each(${JSON.stringify(providerTxnIds)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.providerTxnId, row]));
}

/** As the partial index words it, so that it is used. */
export const isOutcomeOpen = sql`${paymentAttempts.state} IN ('sent', 'unknown', 'needs_human')`;

/** Payments on a terminal whose outcome nobody knows yet, oldest first. */
export const listUnknown = (db: Db, accountId: number, terminalId: string): Promise<Attempt[]> =>
  db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.accountId, accountId), eq(paymentAttempts.terminalId, terminalId), isOutcomeOpen))
    .orderBy(asc(unindexed(paymentAttempts.createdAt)))
    .limit(100);
