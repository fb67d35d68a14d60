import { and, eq, inArray, sql } from 'drizzle-orm';
import { crmWrites } from '#worker/data/schema/crm';
import { type Reversal, reversals } from '#worker/data/schema/refunds';
import { type Attempt, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../sql.ts';

const reversalTable = reversals;

/** The refund in our ledger with this gateway id, and its payment, even if the refund has since been voided. */
export async function findBookedRefund(
  db: Db,
  { accountId, method }: Pick<Attempt, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<{ reversal: Reversal; attempt: Attempt } | undefined> {
  const entryAttemptId = sql`(SELECT attempt_id FROM ledger WHERE account_id = ${accountId} AND provider_txn_id = ${providerTxnId}
    AND method = ${method} AND kind = 'refund')`;
  const [row] = await db
    .select({ reversal: reversalTable, attempt: paymentAttempts })
    .from(reversalTable)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, reversalTable.attemptId))
    .where(
      and(
        sql`${reversalTable.attemptId} = ${entryAttemptId}`,
        eq(reversalTable.providerTxnId, providerTxnId),
        eq(reversalTable.kind, 'refund'),
        inArray(reversalTable.state, ['approved', 'not_done']),
      ),
    );
  return row;
}

export type Correction = {
  /** The refunded amount that the gateway now shows, in cents; 0 if nothing was refunded. */
  cents: number;
  entry: typeof ledger.$inferInsert & { attemptId: string };
  at: number;
  message: string;
};

/**
 * Adjust a booked refund to the amount that the gateway now shows. One transaction writes the reversal, the ledger
 * entry for the difference, and the payment's refunded amount. False if the reversal had already changed.
 */
export async function writeCorrection(
  db: Db,
  reversal: Reversal,
  { cents, entry, at, message }: Correction,
  event: Omit<NewEvent, 'before'>,
): Promise<boolean> {
  const { accountId, attemptId } = reversal;
  const isUnchanged = and(
    eq(reversalTable.id, reversal.id),
    eq(reversalTable.state, reversal.state),
    eq(reversalTable.amountCents, reversal.amountCents),
  );
  const before = sql`(SELECT json_object('state', state, 'amountCents', amount_cents) FROM reversals
    WHERE id = ${reversal.id})`;
  const isBooked = sql`EXISTS (SELECT 1 FROM ledger WHERE account_id = ${accountId}
    AND provider_txn_id = ${entry.providerTxnId} AND attempt_id = ${attemptId})`;
  const refunded = sql`(SELECT -sum(amount_cents) FROM ledger WHERE attempt_id = ${attemptId}
    AND kind IN ('refund', 'void'))`;
  const state = sql<'approved'>`CASE WHEN state = 'refunded' AND ${refunded} < amount_cents THEN 'approved'
    WHEN state = 'approved' AND ${refunded} >= amount_cents THEN 'refunded' ELSE state END`;
  const [, updated] = await db.batch([
    // Before the update, because it overwrites the old values.
    eventWrite(db, { ...event, before }, sql`EXISTS (SELECT 1 FROM reversals WHERE ${isUnchanged})`),
    db
      .update(reversalTable)
      .set({
        ...(cents === 0
          ? { state: 'not_done' as const, settledAt: at }
          : { state: 'approved' as const, amountCents: cents }),
        message,
      })
      .where(isUnchanged)
      .returning({ id: reversalTable.id }),
    db.insert(ledger).select(selectValues(ledger, entry, sql`changes() = 1`)),
    // A void covers the whole payment, so it returns the amount that was not refunded.
    db
      .insert(ledger)
      .select(
        selectValues(
          ledger,
          { ...entry, kind: 'void', providerTxnId: `${entry.providerTxnId}-payment`, amountCents: -entry.amountCents },
          sql`changes() = 1 AND EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND state = 'voided')`,
        ),
      ),
    db
      .update(paymentAttempts)
      .set({ refundedCents: refunded, state })
      .where(and(eq(paymentAttempts.id, attemptId), isBooked)),
    // The correction must also be recorded in the CRM. A smaller refund reverses the sign.
    db
      .update(crmWrites)
      .set({ amountCents: -entry.amountCents })
      .where(and(eq(crmWrites.id, `rev-${attemptId}-${entry.providerTxnId}`), isBooked)),
  ]);
  return updated.length === 1;
}
