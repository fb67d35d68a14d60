import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { type Attempt, hubs, ledger, paymentAttempts } from './schema.ts';

export type ReceiptRows = {
  attempt: Attempt;
  hub: typeof hubs.$inferSelect;
  entries: (typeof ledger.$inferSelect)[];
};

/** A payment with who billed it and every ledger row that belongs to it, in one trip. */
export async function findReceiptRows(
  db: Db,
  by: { receiptId: string } | { attemptId: string },
): Promise<ReceiptRows | null> {
  const isWanted =
    'receiptId' in by ? eq(paymentAttempts.receiptId, by.receiptId) : eq(paymentAttempts.id, by.attemptId);
  const [[attempt], [hub], entries] = await db.batch([
    db.select().from(paymentAttempts).where(isWanted),
    db
      .select()
      .from(hubs)
      .where(eq(hubs.hubId, sql`(SELECT hub_id FROM payment_attempts WHERE ${isWanted})`)),
    db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, sql`(SELECT id FROM payment_attempts WHERE ${isWanted})`))
      .orderBy(asc(ledger.at)),
  ]);
  return attempt && hub ? { attempt, hub, entries } : null;
}
