import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { reversals } from '#worker/data/schema/refunds';
import { type Attempt, invoices, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { type Db, unindexed } from '../db.ts';

/** A gateway transaction that is in our ledger, with its payment. */
export type LedgerEntry = {
  providerTxnId: string;
  kind: (typeof ledger.$inferSelect)['kind'];
  attempt: Attempt;
  /** The state of the reversal that is under way; null if there is none. */
  reversal: (typeof reversals.$inferSelect)['state'] | null;
  /** The contact of the payment's invoice; empty if the CRM links none. Null if the invoice no longer exists. */
  contactId: string | null;
};

/** The entries of these card transactions in an account's ledger, by transaction id. */
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
      contactId: invoices.contactId,
    })
    .from(ledger)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, ledger.attemptId))
    .leftJoin(
      reversals,
      and(
        eq(reversals.attemptId, paymentAttempts.id),
        // Must match the partial index word for word, or SQLite does not use it.
        sql`${reversals.state} IN ('sent', 'unknown', 'needs_human')`,
      ),
    )
    .leftJoin(
      invoices,
      and(
        eq(invoices.accountId, ledger.accountId),
        eq(invoices.invoiceId, ledger.invoiceId),
        isNull(invoices.deletedAt),
      ),
    )
    .where(
      and(
        eq(ledger.accountId, accountId),
        eq(ledger.method, 'card'),
        sql`${ledger.providerTxnId} IN (SELECT value FROM json_each(${JSON.stringify(providerTxnIds)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.providerTxnId, row]));
}

/** Must match the partial index word for word, or SQLite does not use it. */
export const isOutcomeOpen = sql`${paymentAttempts.state} IN ('sent', 'unknown', 'needs_human')`;

/** Payments on a terminal whose outcome is not known yet, oldest first; 100 at most. */
export const listUnknownPayments = (db: Db, accountId: number, terminalId: string): Promise<Attempt[]> =>
  db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.accountId, accountId), eq(paymentAttempts.terminalId, terminalId), isOutcomeOpen))
    .orderBy(asc(unindexed(paymentAttempts.createdAt)))
    .limit(100);
