import { and, asc, desc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { type Reversal, type ReversalState, reversalResolutions, reversals } from '#worker/data/schema/refunds';
import { type Attempt, invoices, ledger, outbox, paymentAttempts } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';

const t = reversals;

/** While one of a payment's reversals is in one of these, no other one may begin: the partial unique index sees to it. */
export const UNDER_WAY: ReversalState[] = ['sent', 'unknown', 'needs_human'];

/**
 * Claim a payment for one reversal. The INSERT is the lock: it does nothing when another reversal is under way, when this
 * very one was claimed before, or when more was given back since the payment was looked at.
 */
export async function claimReversal(
  db: Db,
  reversal: Omit<typeof t.$inferInsert, 'state'>,
  seen: Pick<Attempt, 'refundedCents'>,
): Promise<{ claimed: Reversal | undefined; others: Reversal[] }> {
  const { attemptId, accountId, amountCents } = reversal;
  const isLeft = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND hub_id = ${accountId}
    AND state = 'approved' AND refunded_cents = ${seen.refundedCents} AND amount_cents - refunded_cents >= ${amountCents})`;
  const [[claimed], others] = await db.batch([
    db
      .insert(t)
      .select(selectValues(t, { ...reversal, state: 'sent' }, isLeft))
      .onConflictDoNothing()
      .returning(),
    db.select().from(t).where(eq(t.attemptId, attemptId)).orderBy(desc(t.createdAt)),
  ]);
  return { claimed, others: others.filter(({ id }) => id !== reversal.id) };
}

/** A move of a reversal and all that follows from it. domain/refunds/settle-reversal decides it; here it is only written. */
export type ReversalSettlement = {
  to: ReversalState;
  /** The states this move may start from; anything else means that another caller was faster. */
  from: ReversalState[];
  columns: Partial<Omit<Reversal, 'id' | 'state'>>;
  /** Of the person who decided it. */
  decision?: typeof reversalResolutions.$inferInsert | undefined;
  /** What follows where money went back. */
  booked?: GivenBack;
};

export type GivenBack = {
  ledgerEntry: typeof ledger.$inferInsert & { attemptId: string };
  /** What the payment comes to: at once, or when nothing of it is left. A part given back leaves it approved. */
  payment: { state: 'voided' | 'refunded'; when: 'at-once' | 'nothing-left' };
  /** What its invoice comes to with it. */
  localStatus: 'voided' | 'refunded';
  collection: number;
  receipt: typeof outbox.$inferInsert | null;
};

/**
 * Move a reversal and write all that follows from it in one transaction; answers it as it stands afterwards. When it had
 * left the expected state already, nothing at all is written and `moved` is false. Only domain/refunds/settle-reversal
 * calls this.
 */
export async function writeReversal(
  db: Db,
  reversal: Reversal,
  { to, from, columns, decision, booked }: ReversalSettlement,
): Promise<{ moved: boolean; reversal: Reversal }> {
  const results = await db.batch([
    db
      .update(t)
      .set({ state: to, ...columns })
      .where(and(eq(t.id, reversal.id), inArray(t.state, from)))
      .returning({ id: t.id }),
    db.select().from(t).where(eq(t.id, reversal.id)),
    // Right behind the move: where it did not happen this writes nothing either, and `changes()` tells so to what follows.
    ...(decision
      ? [db.insert(reversalResolutions).select(selectValues(reversalResolutions, decision, sql`changes() = 1`))]
      : []),
    ...(booked ? givenBackWrites(db, booked) : []),
  ]);
  return { moved: results[0].length === 1, reversal: results[1][0] ?? reversal };
}

/** The ledger entry asks `changes()` whether the move happened, all the rest asks for that entry. Days are summed by triggers. */
function givenBackWrites(db: Db, { ledgerEntry, payment, localStatus, collection, receipt }: GivenBack) {
  const { accountId, providerTxnId, attemptId, invoiceId } = ledgerEntry;
  const isBooked = sql`EXISTS (SELECT 1 FROM ledger WHERE hub_id = ${accountId} AND provider_txn_id = ${providerTxnId}
    AND attempt_id = ${attemptId})`;
  const given = sql`(SELECT -sum(amount_cents) FROM ledger WHERE attempt_id = ${attemptId} AND kind IN ('refund', 'void'))`;
  const isOver = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND state IN ('voided', 'refunded'))`;
  const end = sql<'approved'>`CASE WHEN state <> 'approved' THEN state
    WHEN ${payment.when} = 'at-once' OR ${given} >= amount_cents THEN ${payment.state} ELSE state END`;
  const ofInvoice = and(
    eq(invoices.accountId, accountId),
    eq(invoices.invoiceId, invoiceId),
    eq(invoices.collection, collection),
  );
  return [
    db.insert(ledger).select(selectValues(ledger, ledgerEntry, sql`changes() = 1`)),
    db
      .update(paymentAttempts)
      .set({ refundedCents: given, state: end })
      .where(and(eq(paymentAttempts.id, attemptId), isBooked)),
    db
      .update(invoices)
      .set({ localStatus })
      .where(and(ofInvoice, eq(invoices.localStatus, 'paid'), sql`${isBooked} AND ${isOver}`)),
    ...(receipt
      ? [
          db
            .insert(outbox)
            .select(selectValues(outbox, receipt, sql`${isBooked}`))
            .onConflictDoNothing(),
        ]
      : []),
  ];
}

/** A merchant's own payment with its reversals, newest first. */
export async function findReversible(
  db: Db,
  accountId: number,
  attemptId: string,
): Promise<{ attempt: Attempt; reversals: Reversal[] } | null> {
  const [[attempt], found] = await db.batch([
    db
      .select()
      .from(paymentAttempts)
      .where(and(eq(paymentAttempts.id, attemptId), eq(paymentAttempts.accountId, accountId))),
    db.select().from(t).where(eq(t.attemptId, attemptId)).orderBy(desc(t.createdAt)),
  ]);
  return attempt ? { attempt, reversals: found } : null;
}

/** Reversals whose outcome should be asked for now, oldest promise first. */
export const listDueReversals = (db: Db, at: number, limit: number) =>
  db
    .select({ reversal: t, attempt: paymentAttempts })
    .from(t)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, t.attemptId))
    .where(and(isNotNull(t.nextCheckAt), lte(t.nextCheckAt, at)))
    .orderBy(asc(t.nextCheckAt))
    .limit(limit);

/** Take the right to make the next look-up; a second one at the same moment gets false. */
export async function claimReversalCheck(db: Db, reversal: Reversal, nextCheckAt: number): Promise<boolean> {
  const rows = await db
    .update(t)
    .set({ nextCheckAt, checks: reversal.checks + 1 })
    .where(and(eq(t.id, reversal.id), eq(t.state, reversal.state), eq(t.checks, reversal.checks)))
    .returning({ id: t.id });
  return rows.length === 1;
}

/** Note a look-up of the gateway's that named nothing; `nextCheckAt` null ends the looking. */
export async function recordEmptyCheck(db: Db, reversal: Reversal, nextCheckAt: number | null): Promise<void> {
  await db
    .update(t)
    .set({ nextCheckAt, emptyChecks: sql`${t.emptyChecks} + 1` })
    .where(and(eq(t.id, reversal.id), eq(t.state, reversal.state)));
}

export async function findReversal(db: Db, id: string): Promise<Reversal | undefined> {
  return (await db.select().from(t).where(eq(t.id, id)))[0];
}
