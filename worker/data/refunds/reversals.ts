import { and, asc, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { refusedKeys } from '#worker/data/schema/invoices';
import { approvals } from '#worker/data/schema/proofs';
import { type Reversal, type ReversalState, reversalResolutions, reversals } from '#worker/data/schema/refunds';
import { type Attempt, ledger, outbox, paymentAttempts } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../sql.ts';
import { isWithinAllowance, type ReversalLimit } from './allowance.ts';

/** Identifies a submitted Void or Refund form by its payment and its key. */
export type SubmittedRequest = { accountId: number; attemptId: string; requestKey: string };

const invoiceOf = ({ accountId, attemptId }: SubmittedRequest): SQL =>
  sql`(SELECT invoice_id FROM payment_attempts WHERE id = ${attemptId} AND account_id = ${accountId})`;

/** SQL: true if this request was refused, in which case staff were told that nothing was refunded. */
export const isRequestRefused = (request: SubmittedRequest): SQL => sql`EXISTS (SELECT 1 FROM refused_keys
  WHERE account_id = ${request.accountId} AND invoice_id = ${invoiceOf(request)} AND attempt_key = ${request.requestKey})`;

/** A request that has started a reversal, or that is waiting for an approval. */
export type StartedRequest = { kind: 'reversal' } | { kind: 'waiting'; approvalId: string };

/**
 * Refuse a request permanently, unless it has started. This is atomic: a request is refused or has started, never both.
 */
export async function refuseRequest(db: Db, request: SubmittedRequest, now: number): Promise<StartedRequest | null> {
  const { accountId, attemptId, requestKey } = request;
  const reversalCondition = and(eq(reversals.attemptId, attemptId), eq(reversals.requestKey, requestKey));
  const approvalCondition = and(
    eq(approvals.accountId, accountId),
    eq(approvals.requestKey, requestKey),
    inArray(approvals.state, ['waiting', 'approved']),
  );
  const [[reversal], [approval]] = await db.batch([
    db.select({ id: reversals.id }).from(reversals).where(reversalCondition),
    db.select({ id: approvals.id }).from(approvals).where(approvalCondition),
    db
      .insert(refusedKeys)
      .select(
        selectValues(
          refusedKeys,
          { accountId, invoiceId: '', attemptKey: requestKey, refusedAt: now },
          sql`${invoiceOf(request)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reversals WHERE ${reversalCondition})
            AND NOT EXISTS (SELECT 1 FROM approvals WHERE ${approvalCondition})`,
          { invoiceId: invoiceOf(request) },
        ),
      )
      .onConflictDoNothing(),
  ]);
  if (reversal) return { kind: 'reversal' };
  return approval ? { kind: 'waiting', approvalId: approval.id } : null;
}

const reversalTable = reversals;

/** While a payment's reversal is in one of these states, no other may start; the partial unique index enforces this. */
export const LIVE_REVERSAL_STATES: ReversalState[] = ['sent', 'unknown', 'needs_human'];

/**
 * Claim a payment for one reversal. The INSERT is the lock: it does nothing if another reversal is under way, if this
 * one was claimed before, if the request was refused, if more has been refunded since `payment` was read, or if the
 * requester's `limit` (null: none) is exceeded.
 */
export async function claimReversal(
  db: Db,
  reversal: Omit<typeof reversalTable.$inferInsert, 'state'>,
  payment: Pick<Attempt, 'refundedCents'>,
  event: NewEvent,
  limit: ReversalLimit | null,
): Promise<{ claimed: Reversal | undefined; others: Reversal[] }> {
  const { attemptId, accountId, amountCents } = reversal;
  const isRefundable = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND account_id = ${accountId}
    AND state = 'approved' AND refunded_cents = ${payment.refundedCents} AND amount_cents - refunded_cents >= ${amountCents}) AND NOT ${isRequestRefused(reversal)} AND ${isWithinAllowance(limit, amountCents)}`;
  const [[claimed], , others] = await db.batch([
    db
      .insert(reversalTable)
      .select(selectValues(reversalTable, { ...reversal, state: 'sent' }, isRefundable))
      .onConflictDoNothing()
      .returning(),
    eventWrite(db, event),
    db
      .select()
      .from(reversalTable)
      .where(eq(reversalTable.attemptId, attemptId))
      .orderBy(desc(reversalTable.createdAt)),
  ]);
  return { claimed, others: others.filter(({ id }) => id !== reversal.id) };
}

/**
 * A state change of a reversal with all its consequences. domain/refunds/settle-reversal decides on it; this file
 * writes it.
 */
export type ReversalSettlement = {
  to: ReversalState;
  /** The states in which this change is allowed. In any other state, another caller was faster. */
  from: ReversalState[];
  columns: Partial<Omit<Reversal, 'id' | 'state'>>;
  /** Set if a person decided on the change. */
  decision?: typeof reversalResolutions.$inferInsert | undefined;
  /** Set if money was refunded. */
  returnedMoney?: ReturnedMoney;
};

export type ReturnedMoney = {
  ledgerEntry: typeof ledger.$inferInsert & { attemptId: string };
  /**
   * The payment's new state, set at once or when nothing of the payment is left. A partial refund leaves it approved. A
   * void covers the amount that remains after `refundedCents`; if another amount has been refunded in the meantime, the
   * void must be settled again.
   */
  payment: { state: 'voided'; when: 'at-once'; refundedCents: number } | { state: 'refunded'; when: 'nothing-left' };
  receipt: typeof outbox.$inferInsert | null;
};

/**
 * Change a reversal's state and write all consequences, in one transaction. Returns the new row. If it is no longer in
 * an expected state, nothing is written and `moved` is false. Only domain/refunds/settle-reversal calls this.
 */
export async function writeReversal(
  db: Db,
  reversal: Reversal,
  event: Omit<NewEvent, 'before'>,
  { to, from, columns, decision, returnedMoney }: ReversalSettlement,
): Promise<{ moved: boolean; reversal: Reversal }> {
  const matchesRemainder =
    returnedMoney?.payment.when === 'at-once'
      ? sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${reversal.attemptId}
          AND refunded_cents = ${returnedMoney.payment.refundedCents})`
      : undefined;
  const mayMove = and(eq(reversalTable.id, reversal.id), inArray(reversalTable.state, from), matchesRemainder);
  const before = sql`(SELECT json_object('state', state) FROM reversals WHERE id = ${reversal.id})`;
  const [, moved, [resultingRow]] = await db.batch([
    // Before the update, because it overwrites the old state.
    eventWrite(db, { ...event, before }, sql`EXISTS (SELECT 1 FROM reversals WHERE ${mayMove})`),
    db
      .update(reversalTable)
      .set({ state: to, ...columns })
      .where(mayMove)
      .returning({ id: reversalTable.id }),
    db.select().from(reversalTable).where(eq(reversalTable.id, reversal.id)),
    // Directly after the update. If that changed no row, this inserts nothing, so the next `changes()` is 0 as well.
    ...(decision
      ? [db.insert(reversalResolutions).select(selectValues(reversalResolutions, decision, sql`changes() = 1`))]
      : []),
    ...(returnedMoney ? returnWrites(db, returnedMoney) : []),
  ]);
  return { moved: moved.length === 1, reversal: resultingRow ?? reversal };
}

/**
 * The ledger entry checks by `changes()` that the state was changed; the other statements check that the entry exists.
 * Triggers update the daily totals and the balance.
 */
function returnWrites(db: Db, { ledgerEntry, payment, receipt }: ReturnedMoney) {
  const { accountId, providerTxnId, attemptId } = ledgerEntry;
  const isInLedger = sql`EXISTS (SELECT 1 FROM ledger WHERE account_id = ${accountId} AND provider_txn_id = ${providerTxnId}
    AND attempt_id = ${attemptId})`;
  const refunded = sql`(SELECT -sum(amount_cents) FROM ledger WHERE attempt_id = ${attemptId} AND kind IN ('refund', 'void'))`;
  const newState = sql<'approved'>`CASE WHEN state <> 'approved' THEN state
    WHEN ${payment.when} = 'at-once' OR ${refunded} >= amount_cents THEN ${payment.state} ELSE state END`;
  return [
    db.insert(ledger).select(selectValues(ledger, ledgerEntry, sql`changes() = 1`)),
    db
      .update(paymentAttempts)
      .set({ refundedCents: refunded, state: newState })
      .where(and(eq(paymentAttempts.id, attemptId), isInLedger)),
    ...(receipt
      ? [
          db
            .insert(outbox)
            .select(selectValues(outbox, receipt, sql`${isInLedger}`))
            .onConflictDoNothing(),
        ]
      : []),
  ];
}

/** A merchant's own payment with its reversals, newest first. Null if there is none. */
export async function findReversiblePayment(
  db: Db,
  accountId: number,
  attemptId: string,
): Promise<{ attempt: Attempt; reversals: Reversal[] } | null> {
  const [[attempt], rows] = await db.batch([
    db
      .select()
      .from(paymentAttempts)
      .where(and(eq(paymentAttempts.id, attemptId), eq(paymentAttempts.accountId, accountId))),
    db
      .select()
      .from(reversalTable)
      .where(eq(reversalTable.attemptId, attemptId))
      .orderBy(desc(reversalTable.createdAt)),
  ]);
  return attempt ? { attempt, reversals: rows } : null;
}

/** Reversals whose status inquiry is due, with their payments, longest due first. */
export const listDueReversals = (db: Db, at: number, limit: number) =>
  db
    .select({ reversal: reversalTable, attempt: paymentAttempts })
    .from(reversalTable)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, reversalTable.attemptId))
    .where(lte(reversalTable.nextCheckAt, at))
    .orderBy(asc(reversalTable.nextCheckAt))
    .limit(limit);

/** Claim the next status inquiry of a reversal. False if another caller was faster. */
export async function claimReversalCheck(db: Db, reversal: Reversal, nextCheckAt: number): Promise<boolean> {
  const rows = await db
    .update(reversalTable)
    .set({ nextCheckAt, checks: reversal.checks + 1 })
    .where(
      and(
        eq(reversalTable.id, reversal.id),
        eq(reversalTable.state, reversal.state),
        eq(reversalTable.checks, reversal.checks),
      ),
    )
    .returning({ id: reversalTable.id });
  return rows.length === 1;
}

/** Record a lookup that found nothing at the gateway; a null `nextCheckAt` ends the lookups. */
export async function recordEmptyCheck(db: Db, reversal: Reversal, nextCheckAt: number | null): Promise<void> {
  await db
    .update(reversalTable)
    .set({ nextCheckAt, emptyChecks: sql`${reversalTable.emptyChecks} + 1` })
    .where(and(eq(reversalTable.id, reversal.id), eq(reversalTable.state, reversal.state)));
}

export async function findReversal(db: Db, id: string): Promise<Reversal | undefined> {
  return (await db.select().from(reversalTable).where(eq(reversalTable.id, id)))[0];
}
