import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { collections } from '#worker/data/schema/invoices';
import { type Attempt, accounts, invoices, ledger, merchants, paymentAttempts } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type ReceiptRows = {
  attempt: Attempt;
  account: typeof accounts.$inferSelect;
  merchant: typeof merchants.$inferSelect | undefined;
  entries: (typeof ledger.$inferSelect)[];
  /** Set for an installment. */
  part?: ReceiptPart | undefined;
};

/**
 * An installment on a receipt. `baseCents`: the total of the invoice. `paidCents`: the amount paid up to this
 * installment, minus the refunds of earlier ones up to then. `dueDate`: YYYY-MM-DD. `isOpen`: the remaining amount is
 * still the same, because no later installment was paid and nothing was refunded.
 */
export type ReceiptPart = {
  n: number;
  baseCents: number;
  paidCents: number;
  dueDate: string | null;
  isOpen: boolean;
};

/** Amounts as of that installment. After later events, its receipt omits the remaining amount. */
const selectReceiptParts = (db: Db, condition: SQL) =>
  db
    .select({
      id: paymentAttempts.id,
      n: paymentAttempts.part,
      baseCents: sql<number>`${collections.paidBeforeCents} + ${collections.baseCents}`,
      paidCents: sql<number>`coalesce((SELECT sum(l.amount_cents)
        FROM payment_attempts a JOIN ledger l ON l.attempt_id = a.id
        WHERE a.account_id = ${collections.accountId} AND a.invoice_id = ${collections.invoiceId}
          AND (a.collection, a.part) <= (${collections.n}, ${paymentAttempts.part})
          AND (l.kind = 'payment' OR ((a.collection, a.part) < (${collections.n}, ${paymentAttempts.part})
            AND l.at <= (SELECT own.at FROM ledger own WHERE own.attempt_id = ${paymentAttempts.id} AND own.kind = 'payment')))), 0)`,
      dueDate: invoices.dueDate,
      isOpen: sql<boolean>`${collections.state} = 'open' AND NOT EXISTS (SELECT 1
        FROM payment_attempts a JOIN ledger l ON l.attempt_id = a.id
        WHERE a.account_id = ${collections.accountId} AND a.invoice_id = ${collections.invoiceId}
          AND ((a.collection, a.part) > (${collections.n}, ${paymentAttempts.part})
            OR (a.collection = ${collections.n} AND l.kind <> 'payment')
            OR l.at > (SELECT own.at FROM ledger own WHERE own.attempt_id = ${paymentAttempts.id} AND own.kind = 'payment')))`.mapWith(
        Boolean,
      ),
    })
    .from(paymentAttempts)
    .leftJoin(
      invoices,
      and(eq(invoices.accountId, paymentAttempts.accountId), eq(invoices.invoiceId, paymentAttempts.invoiceId)),
    )
    .innerJoin(
      collections,
      and(
        eq(collections.accountId, paymentAttempts.accountId),
        eq(collections.invoiceId, paymentAttempts.invoiceId),
        eq(collections.n, paymentAttempts.collection),
      ),
    )
    .where(condition);

/** The installment paid by a payment; undefined if it paid a whole invoice. `invoice`: its current row. */
export async function findReceiptPart(
  db: Db,
  attempt: Attempt,
  invoice: typeof invoices.$inferSelect | undefined,
): Promise<ReceiptPart | undefined> {
  const mayBePart = attempt.part > 1 || invoice?.partBaseCents !== null || invoice.collection !== attempt.collection;
  if (!mayBePart) return undefined;
  const [part] = await selectReceiptParts(db, eq(paymentAttempts.id, attempt.id));
  return part;
}

/** The installments paid by these payments, by payment id. Payments of whole invoices are omitted. */
export async function listReceiptParts(db: Db, attemptIds: string[]): Promise<Map<string, ReceiptPart>> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(attemptIds)}))`;
  const parts = await selectReceiptParts(db, sql`${paymentAttempts.id} IN ${ids}`);
  return new Map(parts.map(({ id, ...part }) => [id, part]));
}

/** A payment with its account, its merchant and all its ledger entries, in one round trip. */
export async function findReceiptRows(db: Db, receiptId: string): Promise<ReceiptRows | null> {
  const condition = eq(paymentAttempts.receiptId, receiptId);
  const attemptColumn = (column: 'id' | 'account_id') =>
    sql`(SELECT ${sql.raw(column)} FROM payment_attempts WHERE ${condition})`;
  const [[attempt], [account], [merchant], entries, [part]] = await db.batch([
    db.select().from(paymentAttempts).where(condition),
    db
      .select()
      .from(accounts)
      .where(eq(accounts.accountId, attemptColumn('account_id'))),
    db
      .select()
      .from(merchants)
      .where(eq(merchants.accountId, attemptColumn('account_id'))),
    db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, attemptColumn('id')))
      .orderBy(asc(ledger.at)),
    selectReceiptParts(db, condition),
  ]);
  return attempt && account ? { attempt, account, merchant, entries, part } : null;
}
