import { asc, eq, sql } from 'drizzle-orm';
import { type Attempt, accounts, ledger, merchants, paymentAttempts } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type ReceiptRows = {
  attempt: Attempt;
  account: typeof accounts.$inferSelect;
  merchant: typeof merchants.$inferSelect | undefined;
  entries: (typeof ledger.$inferSelect)[];
};

/** A payment with its account, its merchant and all its ledger entries, in one trip. */
export async function findReceiptRows(db: Db, receiptId: string): Promise<ReceiptRows | null> {
  const isWanted = eq(paymentAttempts.receiptId, receiptId);
  const wanted = (column: 'id' | 'hub_id') => sql`(SELECT ${sql.raw(column)} FROM payment_attempts WHERE ${isWanted})`;
  const [[attempt], [account], [merchant], entries] = await db.batch([
    db.select().from(paymentAttempts).where(isWanted),
    db
      .select()
      .from(accounts)
      .where(eq(accounts.accountId, wanted('hub_id'))),
    db
      .select()
      .from(merchants)
      .where(eq(merchants.accountId, wanted('hub_id'))),
    db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, wanted('id')))
      .orderBy(asc(ledger.at)),
  ]);
  return attempt && account ? { attempt, account, merchant, entries } : null;
}
