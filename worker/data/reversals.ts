import { and, asc, desc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { localDay } from '#shared/local-day';
import type { Db } from './db.ts';
import { type Attempt, invoices, ledger, outbox, paymentAttempts } from './schema.ts';
import { type Reversal, type ReversalState, reversalResolutions, reversals } from './schema-desk.ts';
import { selectValues } from './select-values.ts';

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
  const { attemptId, hubId, amountCents } = reversal;
  const isLeft = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${attemptId} AND hub_id = ${hubId}
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

export type ReversalMove = {
  to: ReversalState;
  /** The states this move may start from; anything else means that somebody was faster. */
  from: ReversalState[];
  at: number;
  /** What the gateway shows for it. */
  txnId?: string;
  exchangeId?: string;
  message?: string;
  providerCode?: string;
  nextCheckAt?: number | null;
  /** What really went back, where that is not what was asked for. */
  amountCents?: number;
  /** Of the person who decided it. */
  decision?: Pick<typeof reversalResolutions.$inferInsert, 'id' | 'verdict' | 'note' | 'resolvedBy'>;
};

/**
 * Move a reversal and write all that follows from it in one transaction; answers it as it stands afterwards. When it had
 * left the expected state already, nothing at all is written and `moved` is false.
 */
export async function settleReversal(
  db: Db,
  reversal: Reversal,
  attempt: Attempt,
  move: ReversalMove,
): Promise<{ moved: boolean; reversal: Reversal }> {
  const isFinal = move.to !== 'unknown';
  const results = await db.batch([
    db
      .update(t)
      .set({
        state: move.to,
        nextCheckAt: move.nextCheckAt ?? null,
        ...(isFinal ? { settledAt: move.at } : {}),
        ...(move.txnId === undefined ? {} : { providerTxnId: move.txnId }),
        ...(move.exchangeId ? { exchangeId: move.exchangeId } : {}),
        ...(move.message === undefined ? {} : { message: move.message }),
        ...(move.providerCode === undefined ? {} : { providerCode: move.providerCode }),
        ...(move.amountCents === undefined ? {} : { amountCents: move.amountCents }),
      })
      .where(and(eq(t.id, reversal.id), inArray(t.state, move.from)))
      .returning({ id: t.id }),
    db.select().from(t).where(eq(t.id, reversal.id)),
    ...decisionWrites(db, reversal, move),
    ...reversalWrites(db, { ...reversal, amountCents: move.amountCents ?? reversal.amountCents }, attempt, move),
  ]);
  return { moved: results[0].length === 1, reversal: results[1][0] ?? reversal };
}

/** Right behind the move: where it did not happen this writes nothing either, and `changes()` tells so to what follows. */
function decisionWrites(db: Db, { id, hubId }: Reversal, { decision, at }: ReversalMove) {
  if (!decision) return [];
  const row = { ...decision, hubId, reversalId: id, at };
  return [db.insert(reversalResolutions).select(selectValues(reversalResolutions, row, sql`changes() = 1`))];
}

/**
 * The one place for what money given back changes elsewhere; settlementWrites is its like for money taken in. The ledger
 * row asks `changes()` whether the move happened, all the rest asks for that row. Days are summed by triggers.
 */
function reversalWrites(db: Db, reversal: Reversal, attempt: Attempt, move: ReversalMove) {
  if (move.to !== 'approved' || move.txnId === undefined) return [];
  const { id, hubId, invoiceId, timeZone } = attempt;
  // A gateway may show the payment itself, marked as voided: that id is in the ledger already.
  const providerTxnId = move.txnId === attempt.providerTxnId ? `${move.txnId}-${reversal.kind}` : move.txnId;
  const entry = {
    hubId,
    providerTxnId,
    attemptId: id,
    invoiceId,
    kind: reversal.kind,
    amountCents: -reversal.amountCents,
    currency: attempt.currency,
    channel: attempt.channel,
    method: attempt.method,
    brand: attempt.cardBrand,
    at: move.at,
    day: localDay(move.at, timeZone),
  };
  const isBooked = sql`EXISTS (SELECT 1 FROM ledger WHERE hub_id = ${hubId} AND provider_txn_id = ${providerTxnId}
    AND attempt_id = ${id})`;
  const given = sql`(SELECT -sum(amount_cents) FROM ledger WHERE attempt_id = ${id} AND kind IN ('refund', 'void'))`;
  const isOver = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${id} AND state IN ('voided', 'refunded'))`;
  const mail = {
    // Not the id of the first receipt: that mail was sent and says "Paid".
    id: `receipt-${reversal.id}`,
    kind: 'receipt' as const,
    hubId,
    attemptId: id,
    invoiceId,
    recipient: attempt.receiptTo,
    nextTryAt: move.at,
    createdAt: move.at,
  };
  return [
    db.insert(ledger).select(selectValues(ledger, entry, sql`changes() = 1`)),
    db
      .update(paymentAttempts)
      .set({ refundedCents: given, state: endOf(reversal, given) })
      .where(and(eq(paymentAttempts.id, id), isBooked)),
    db
      .update(invoices)
      .set({ overlay: reversal.kind === 'void' ? 'voided' : 'refunded' })
      .where(
        and(
          eq(invoices.hubId, hubId),
          eq(invoices.invoiceId, invoiceId),
          eq(invoices.collection, attempt.collection),
          eq(invoices.overlay, 'paid'),
          sql`${isBooked} AND ${isOver}`,
        ),
      ),
    db
      .insert(outbox)
      .select(selectValues(outbox, mail, sql`${isBooked} AND ${attempt.receiptTo} <> ''`))
      .onConflictDoNothing(),
  ];
}

/** Where a payment comes to by what was given back of it; a part of it leaves it approved. */
const endOf = ({ kind }: Reversal, given: SQL) => sql<'approved'>`CASE
  WHEN state <> 'approved' THEN state WHEN ${kind} = 'void' THEN 'voided'
  WHEN ${given} >= amount_cents THEN 'refunded' ELSE state END`;

/** A merchant's own payment with its reversals, newest first. */
export async function findReversible(
  db: Db,
  hubId: number,
  attemptId: string,
): Promise<{ attempt: Attempt; reversals: Reversal[] } | null> {
  const [[attempt], found] = await db.batch([
    db
      .select()
      .from(paymentAttempts)
      .where(and(eq(paymentAttempts.id, attemptId), eq(paymentAttempts.hubId, hubId))),
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
