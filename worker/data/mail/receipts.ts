import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { type Attempt, accounts, ledger, merchants, paymentAttempts } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type ReceiptRows = {
  attempt: Attempt;
  account: typeof accounts.$inferSelect;
  merchant: typeof merchants.$inferSelect | undefined;
  entries: (typeof ledger.$inferSelect)[];
  /** Of a payment in parts. */
  part?: ReceiptPart | undefined;
};

/** What the invoice comes to in all, and what was paid of it with this part (cents). */
export type ReceiptPart = { n: number; baseCents: number; paidCents: number };

/** As of that part: later ones change nothing on an earlier receipt. */
const partOf = (isWanted: SQL) => sql<ReceiptPart>`SELECT t.part AS n, c.paid_before_cents + c.base_cents AS baseCents,
  c.paid_before_cents + coalesce((SELECT sum(l.amount_cents) FROM payment_attempts a
    JOIN ledger l ON l.attempt_id = a.id AND l.kind = 'payment'
    WHERE a.hub_id = t.hub_id AND a.invoice_id = t.invoice_id AND a.collection = t.collection AND a.part <= t.part), 0)
    AS paidCents
FROM payment_attempts t JOIN collections c ON c.hub_id = t.hub_id AND c.invoice_id = t.invoice_id AND c.n = t.collection
WHERE ${isWanted}`;

export const findReceiptPart = (db: Db, attemptId: string): Promise<ReceiptPart | undefined> =>
  db.get<ReceiptPart | undefined>(partOf(sql`t.id = ${attemptId}`));

/** A payment with its account, its merchant and all its ledger entries, in one trip. */
export async function findReceiptRows(db: Db, receiptId: string): Promise<ReceiptRows | null> {
  const isWanted = eq(paymentAttempts.receiptId, receiptId);
  const wanted = (column: 'id' | 'hub_id') => sql`(SELECT ${sql.raw(column)} FROM payment_attempts WHERE ${isWanted})`;
  const [[attempt], [account], [merchant], entries, [part]] = await db.batch([
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
    db.all<ReceiptPart>(partOf(sql`t.receipt_id = ${receiptId}`)),
  ]);
  return attempt && account ? { attempt, account, merchant, entries, part } : null;
}
