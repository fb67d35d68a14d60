import { and, asc, eq, getTableColumns, inArray, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { localDay } from '#shared/local-day';
import type { Db } from './db.ts';
import { receiptMailId } from './outbox.ts';
import { type Attempt, type AttemptState, invoices, ledger, outbox, paymentAttempts } from './schema.ts';

/** While an attempt is in one of these, nothing else may be charged for its invoice: the partial unique index and the claim see to it. */
export const LIVE: AttemptState[] = ['sent', 'unknown', 'pending', 'approved', 'needs_human'];

/** `payId`: of the link that it is paid by; null at a desk. */
export type NewAttempt = Omit<typeof paymentAttempts.$inferInsert, 'state' | 'payId'> & { payId: string | null };

const t = paymentAttempts;

/**
 * Claim the invoice for one attempt. The INSERT is the lock: it does nothing when an attempt is live, when the invoice was
 * paid or the link revoked meanwhile, or when the declines reached their limit. Answers whether the claim was won, and the
 * attempts that stand in the way when it was lost.
 */
export async function claimAttempt(
  db: Db,
  attempt: NewAttempt,
  guard: SQL,
): Promise<{ won: boolean; others: Attempt[] }> {
  const row = { ...attempt, state: 'sent' } satisfies typeof t.$inferInsert;
  const guards = sql`EXISTS (SELECT 1 FROM invoices WHERE hub_id = ${row.hubId} AND invoice_id = ${row.invoiceId}
                             AND collection = ${row.collection} AND overlay = 'none')
    AND (${row.payId} IS NULL OR EXISTS (SELECT 1 FROM pay_links WHERE pay_id = ${row.payId} AND state = 'live'))
    AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE hub_id = ${row.hubId} AND invoice_id = ${row.invoiceId}
                    AND collection = ${row.collection} AND state = 'needs_human') AND ${guard}`;
  const [claimed, others] = await db.batch([
    db
      .insert(t)
      .select(selectValues(t, row, guards))
      .onConflictDoNothing()
      .returning({ id: t.id }),
    db
      .select()
      .from(t)
      .where(
        or(
          and(eq(t.hubId, row.hubId), eq(t.invoiceId, row.invoiceId), inArray(t.state, LIVE)),
          row.tokenHash ? eq(t.tokenHash, row.tokenHash) : undefined,
        ),
      ),
  ]);
  return { won: claimed.length === 1, others: others.filter((other) => other.id !== attempt.id) };
}

/** `SELECT value, value … WHERE condition` in the table's own column order: an INSERT that may decide not to happen. */
export function selectValues<T extends SQLiteTable>(
  table: T,
  row: { [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL },
  condition: SQL,
): SQL {
  const values = Object.entries(getTableColumns(table)).map(
    ([key, column]) => sql`${(row as Record<string, unknown>)[key] ?? column.default ?? null}`,
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`;
}

export type Settlement = {
  to: AttemptState;
  /** The states this move may start from; anything else means that somebody was faster. */
  from: AttemptState[];
  at: number;
  nextCheckAt?: number | null;
  txn?: {
    id: string;
    authCode: string;
    brand: string;
    lastFour: string;
    maskedCard: string;
    result: string;
    feeCents: number | null;
  } | null;
  exchangeId?: string;
  message?: string;
  providerCode?: string;
  refusal?: Attempt['refusal'];
};

/** What a settlement needs to know of the attempt; the rest stands in its row. */
export type SettledAttempt = Pick<
  Attempt,
  'id' | 'hubId' | 'invoiceId' | 'collection' | 'amountCents' | 'currency' | 'channel' | 'method' | 'timeZone'
>;

/**
 * Move an attempt and write all that follows from it in one transaction; answers the row as it stands afterwards. When the
 * attempt had left the expected state already, or `guard` does not hold at that moment, nothing at all is written and
 * `moved` is false.
 */
export async function settleAttempt(
  db: Db,
  attempt: SettledAttempt,
  move: Settlement,
  guard?: SQL,
): Promise<{ moved: boolean; attempt: Attempt | undefined }> {
  const { txn } = move;
  const isFinal = !['unknown', 'pending'].includes(move.to);
  const results = await db.batch([
    db
      .update(t)
      .set({
        state: move.to,
        nextCheckAt: move.nextCheckAt ?? watchFrom(attempt, move),
        ...(isFinal ? { settledAt: move.at } : {}),
        // On the right of an UPDATE stands the state before it.
        ...(move.to === 'needs_human' ? { needsHumanFrom: sql`state` } : {}),
        ...(txn
          ? {
              providerTxnId: txn.id,
              authCode: txn.authCode,
              cardBrand: txn.brand,
              cardLastFour: txn.lastFour,
              cardMasked: txn.maskedCard,
              result: txn.result,
              feeCents: txn.feeCents,
            }
          : {}),
        ...(move.exchangeId ? { exchangeId: move.exchangeId } : {}),
        ...(move.message === undefined ? {} : { message: move.message }),
        ...(move.providerCode === undefined ? {} : { providerCode: move.providerCode }),
        ...(move.refusal === undefined ? {} : { refusal: move.refusal }),
      })
      .where(and(eq(t.id, attempt.id), inArray(t.state, move.from), guard))
      .returning({ id: t.id }),
    db.select().from(t).where(eq(t.id, attempt.id)),
    ...settlementWrites(db, attempt, move),
  ]);
  return { moved: results[0].length === 1, attempt: results[1][0] };
}

/** A bank may return a debit long after it was settled: it is looked at once a day. */
const watchFrom = ({ method }: SettledAttempt, { to, at }: Settlement) =>
  to === 'approved' && method === 'ach' ? at + 86_400_000 : null;

/**
 * The one place for what a settled payment changes elsewhere. A batch does not stop at an UPDATE that matched nothing, so
 * the ledger row asks `changes()` whether the move happened, and every later write asks the rows written before it.
 */
function settlementWrites(db: Db, attempt: SettledAttempt, move: Settlement) {
  const { hubId, invoiceId, id, collection } = attempt;
  const ofInvoice = and(
    eq(invoices.hubId, hubId),
    eq(invoices.invoiceId, invoiceId),
    eq(invoices.collection, collection),
  );
  const overlay = (value: 'paid' | 'submitted' | 'returned' | 'none', when: SQL) =>
    db.update(invoices).set({ overlay: value }).where(and(ofInvoice, when));
  const inState = (state: AttemptState) =>
    sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${id} AND state = ${state})`;
  const inLedger = sql`EXISTS (SELECT 1 FROM ledger WHERE attempt_id = ${id} AND kind = 'payment')`;

  if (move.to === 'pending') return [overlay('submitted', inState('pending'))];
  if ((move.to !== 'approved' && move.to !== 'returned') || !move.txn) return [];
  const isReturn = move.to === 'returned';
  const entry = {
    hubId,
    providerTxnId: isReturn ? `${move.txn.id}-return` : move.txn.id,
    attemptId: id,
    invoiceId,
    kind: isReturn ? ('return' as const) : ('payment' as const),
    amountCents: isReturn ? -attempt.amountCents : attempt.amountCents,
    currency: attempt.currency,
    channel: attempt.channel,
    method: attempt.method,
    brand: move.txn.brand,
    at: move.at,
    day: localDay(move.at, attempt.timeZone),
  };
  const mail = {
    id: isReturn ? `${receiptMailId(id)}-return` : receiptMailId(id),
    kind: 'receipt' as const,
    hubId,
    attemptId: id,
    invoiceId,
    recipient: sql`(SELECT receipt_to FROM payment_attempts WHERE id = ${id})`,
    nextTryAt: move.at,
    createdAt: move.at,
  };
  const hasRecipient = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${id} AND receipt_to <> '')`;
  const receipt = (when: SQL) =>
    db
      .insert(outbox)
      .select(selectValues(outbox, mail, sql`${when} AND ${hasRecipient}`))
      .onConflictDoNothing();
  if (isReturn) {
    // What was never booked is open to payers again; what was booked waits for the merchant to collect it again.
    const wasBooked = sql`${inState('returned')} AND ${inLedger}`;
    return [
      db.insert(ledger).select(selectValues(ledger, entry, sql`changes() = 1 AND ${inLedger}`)),
      overlay('none', sql`${inState('returned')} AND NOT ${inLedger}`),
      overlay('returned', wasBooked),
      receipt(wasBooked),
    ];
  }
  return [
    db.insert(ledger).select(selectValues(ledger, entry, sql`changes() = 1`)),
    overlay('paid', inLedger),
    receipt(inLedger),
  ];
}

/** A claim that surely never reached the gateway is taken back, so that the payer may try again at once. */
export async function releaseClaim(db: Db, id: string, at: number): Promise<void> {
  await db
    .update(t)
    .set({ state: 'rejected', settledAt: at, nextCheckAt: null })
    .where(and(eq(t.id, id), eq(t.state, 'sent')));
}

export async function findAttempt(db: Db, id: string): Promise<Attempt | undefined> {
  return db.query.paymentAttempts.findFirst({ where: eq(t.id, id) });
}

/** The attempt that a transaction of the gateway's was booked for. */
export async function findBooked(db: Db, hubId: number, providerTxnId: string): Promise<Attempt | undefined> {
  const [found] = await db
    .select({ attempt: t })
    .from(ledger)
    .innerJoin(t, eq(t.id, ledger.attemptId))
    .where(and(eq(ledger.hubId, hubId), eq(ledger.providerTxnId, providerTxnId)));
  return found?.attempt;
}

/** Attempts whose outcome should be asked for now, oldest promise first. */
export function listDueAttempts(db: Db, at: number, limit: number): Promise<Attempt[]> {
  return db
    .select()
    .from(t)
    .where(and(isNotNull(t.nextCheckAt), lte(t.nextCheckAt, at)))
    .orderBy(asc(t.nextCheckAt))
    .limit(limit);
}

/** Take the right to make the next look-up, now; a second reconciler at the same moment gets false. */
export async function claimCheck(
  db: Db,
  attempt: Attempt,
  checkedAt: number,
  nextCheckAt: number | null,
): Promise<boolean> {
  const rows = await db
    .update(t)
    .set({ checkedAt, nextCheckAt, checks: attempt.checks + 1 })
    .where(and(eq(t.id, attempt.id), eq(t.state, attempt.state), eq(t.checks, attempt.checks)))
    .returning({ id: t.id });
  return rows.length === 1;
}

/** Note a look-up that brought no end. `isEmpty` is an answer of the gateway's that named no transaction, and counts. */
export async function recordCheck(db: Db, attempt: Attempt, isEmpty: boolean, nextCheckAt: number | null) {
  await db
    .update(t)
    .set({ nextCheckAt, ...(isEmpty ? { emptyChecks: sql`${t.emptyChecks} + 1` } : {}) })
    .where(and(eq(t.id, attempt.id), eq(t.state, attempt.state)));
}
