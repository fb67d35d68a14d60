import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { claimMail, type OutboxRow, receiptMailId } from './outbox.ts';
import { type Attempt, hubs, ledger, paymentAttempts } from './schema.ts';

export type ReceiptRows = {
  attempt: Attempt;
  hub: typeof hubs.$inferSelect;
  entries: (typeof ledger.$inferSelect)[];
};

type By = { receiptId: string } | { attemptId: string };

/** A payment, who billed it, and every ledger row that belongs to it: three statements for one batch. */
function receiptStatements(db: Db, by: By) {
  const isWanted =
    'receiptId' in by ? eq(paymentAttempts.receiptId, by.receiptId) : eq(paymentAttempts.id, by.attemptId);
  const wanted = (column: 'id' | 'hub_id') => sql`(SELECT ${sql.raw(column)} FROM payment_attempts WHERE ${isWanted})`;
  return [
    db.select().from(paymentAttempts).where(isWanted),
    db
      .select()
      .from(hubs)
      .where(eq(hubs.hubId, wanted('hub_id'))),
    db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, wanted('id')))
      .orderBy(asc(ledger.at)),
  ] as const;
}

export async function findReceiptRows(db: Db, by: By): Promise<ReceiptRows | null> {
  const [[attempt], [hub], entries] = await db.batch(receiptStatements(db, by));
  return attempt && hub ? { attempt, hub, entries } : null;
}

/** Take the receipt mail that a payment owes together with all that it says. Null: there is none to send now. */
export async function claimReceipt(
  db: Db,
  attemptId: string,
  now: number,
): Promise<{ mail: OutboxRow; rows: ReceiptRows | null } | null> {
  const [[mail], [attempt], [hub], entries] = await db.batch([
    claimMail(db, receiptMailId(attemptId), now),
    ...receiptStatements(db, { attemptId }),
  ]);
  return mail ? { mail, rows: attempt && hub ? { attempt, hub, entries } : null } : null;
}
