import { and, asc, eq, inArray, is, isNull, lte, ne, or, SQL, sql } from 'drizzle-orm';
import {
  type Attempt,
  type AttemptState,
  invoices,
  ledger,
  outbox,
  paymentAttempts,
  resolutions,
} from '#worker/data/schema/schema';
import { eventWrite, eventWriteFrom, type NewEvent } from '../audit/events.ts';
import { type Db, type RawRow, rowOf, writtenOnce } from '../db.ts';
import { nextCollectionOf } from '../installments/collections.ts';
import { completeRow, selectValues } from '../sql.ts';
import { isWithinVelocityLimits, type Submission } from './decline-counts.ts';

/**
 * States of an attempt in which nothing else may be charged for its invoice. The partial unique index and the claim
 * enforce this.
 */
export const LIVE_ATTEMPT_STATES: AttemptState[] = ['sent', 'unknown', 'pending', 'approved', 'needs_human'];

/** `payId`: the pay link that is used; null at a counter terminal. */
export type NewAttempt = Omit<typeof paymentAttempts.$inferInsert, 'state' | 'payId'> & { payId: string | null };

const attemptTable = paymentAttempts;

type Claim = { row: Required<typeof attemptTable.$inferInsert>; event: NewEvent; submission: Submission };

const claimStatements = writtenOnce<Claim, SQL | undefined>(['row', 'event', 'submission'], (db, values, override) => {
  const { row, event, submission } = values;
  const guard = override ?? isWithinVelocityLimits(submission);
  const guards = sql`EXISTS (SELECT 1 FROM invoices WHERE account_id = ${row.accountId} AND invoice_id = ${row.invoiceId}
                             AND collection = ${row.collection} AND local_status = 'none')
    AND (${row.payId} IS NULL OR EXISTS (SELECT 1 FROM pay_links WHERE pay_id = ${row.payId} AND state = 'live'
                                            AND (revoke_at IS NULL OR revoke_at > ${row.createdAt})))
    AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE account_id = ${row.accountId} AND invoice_id = ${row.invoiceId}
                    AND state = 'needs_human')
    AND NOT EXISTS (SELECT 1 FROM refused_tokens WHERE token_hash = ${row.tokenHash})
    AND NOT EXISTS (SELECT 1 FROM refused_keys WHERE account_id = ${row.accountId} AND invoice_id = ${row.invoiceId}
                    AND attempt_key = ${row.attemptKey}) AND ${guard}`;
  return [
    db
      .insert(attemptTable)
      .select(selectValues(attemptTable, row, guards))
      .onConflictDoNothing()
      .returning({ id: attemptTable.id }),
    eventWrite(db, event),
    db
      .select()
      .from(attemptTable)
      .where(
        or(
          and(
            eq(attemptTable.accountId, row.accountId),
            eq(attemptTable.invoiceId, row.invoiceId),
            inArray(attemptTable.state, LIVE_ATTEMPT_STATES),
          ),
          sql`${attemptTable.tokenHash} = ${row.tokenHash}`,
        ),
      ),
  ];
});

/**
 * Claim the invoice for one attempt. The INSERT is the lock: it does nothing if an attempt of the invoice is under way
 * or needs a person, in any collection; if the invoice was paid or the link revoked in the meantime; if this card token
 * or form was refused; if the invoice's payments already cover the amount (the trigger claims_fit); if a submission by
 * link exceeds the velocity limits; or if `guard` is false. `others`: the attempts that may be the reason.
 */
export async function claimAttempt(
  db: Db,
  attempt: NewAttempt,
  guard: Submission | SQL,
  event: NewEvent,
): Promise<{ isClaimed: boolean; others: Attempt[] }> {
  const row = completeRow(attemptTable, { ...attempt, state: 'sent' });
  const [override, submission] = is(guard, SQL) ? [guard, NO_SUBMISSION] : [undefined, guard];
  const statements = claimStatements(db, { row, event, submission }, override, override ? null : 'by link');
  const [claimed, , others] = await db.$client.batch<RawRow>(statements);
  return { isClaimed: claimed?.results.length === 1, others: attemptsIn(others).filter(({ id }) => id !== attempt.id) };
}

const NO_SUBMISSION = {} as Submission;

const attemptsIn = (result: D1Result<RawRow> | undefined): Attempt[] =>
  (result?.results ?? []).map((raw) => rowOf(attemptTable, raw, ''));

/**
 * A state change of an attempt with all its consequences. domain/payments/settle decides on it; this file writes it.
 */
export type Settlement = {
  to: AttemptState;
  /** The states in which this change is allowed. In any other state, another caller was faster. */
  from: AttemptState[];
  columns: Partial<Omit<Attempt, 'id' | 'state' | 'needsHumanFrom'>>;
  ledgerEntry?: typeof ledger.$inferInsert;
  /** The statement fills in the recipient; if the attempt has no address, no email is queued. */
  payerMail?: Omit<typeof outbox.$inferInsert, 'recipient'>;
  /** Write the consequences only if the ledger contains the payment at that time. */
  onlyIf?: 'in-ledger';
  /**
   * The gateway may have used this attempt's key. So even if nothing was charged, the next payment needs another key.
   */
  isKeySpent?: boolean;
  /** The decision of a person, if there is one. */
  resolution?: typeof resolutions.$inferInsert;
};

/** A further condition for the statement that changes the state of an attempt. */
export type Guard = SQL;

/** The parts of a settlement that determine the text of its statements. */
type SettlementShape = Pick<Settlement, 'to' | 'from' | 'onlyIf'> & {
  columns: string[];
  entry: Entry['kind'] | null;
  isKeySpent: boolean;
  hasPayerMail: boolean;
  isDecided: boolean;
};
type Entry = typeof ledger.$inferInsert;
type PayerMail = NonNullable<Settlement['payerMail']>;
type Resolution = NonNullable<Settlement['resolution']>;
type SettlementValues = {
  attempt: AttemptKey;
  event: Omit<NewEvent, 'before'>;
  columns: Settlement['columns'];
  entry: Entry;
  payerMail: PayerMail;
  resolution: Resolution;
};
type AttemptKey = Pick<Attempt, 'id' | 'accountId' | 'invoiceId' | 'collection'>;

const settlementStatements = writtenOnce<SettlementValues, SettlementShape & { guard?: Guard | undefined }>(
  ['attempt', 'event', 'columns', 'entry', 'payerMail', 'resolution'],
  (db, values, shape) => {
    const { attempt, event } = values;
    const { to, from, guard } = shape;
    // The gateway may have reported the charge since it sent the empty response that means "not charged".
    const hasNoReportedCharge =
      to === 'not_charged' && from.includes('unknown') ? isNull(attemptTable.providerTxnId) : undefined;
    const mayMove = and(eq(attemptTable.id, attempt.id), inArray(attemptTable.state, from), hasNoReportedCharge, guard);
    const before = sql`(SELECT json_object('state', state) FROM payment_attempts WHERE id = ${attempt.id})`;
    const columns = Object.fromEntries(shape.columns.map((name) => [name, values.columns[name as never]]));
    return [
      // Before the update, because it overwrites the old state.
      eventWriteFrom(db, event, before, sql`EXISTS (SELECT 1 FROM payment_attempts WHERE ${mayMove})`),
      db
        .update(attemptTable)
        .set({
          state: to,
          ...columns,
          // The number of the next installment or, without installments, of the next collection depends on it.
          ...(shape.isKeySpent ? { keySpent: true } : {}),
          // On the right-hand side of an UPDATE, `state` is still the old value.
          ...(to === 'needs_human' ? { needsHumanFrom: sql`state` } : {}),
        })
        .where(mayMove)
        .returning({ id: attemptTable.id }),
      db.select().from(attemptTable).where(eq(attemptTable.id, attempt.id)),
      // Inserts a row if the state was changed, so the next statement can check `changes()` as well.
      ...(shape.isDecided
        ? [db.insert(resolutions).select(selectValues(resolutions, values.resolution, sql`changes() = 1`))]
        : []),
      ...consequenceWrites(db, values, shape),
    ];
  },
);

/**
 * Change an attempt's state and write all consequences, in one transaction. Returns the new row. If the attempt is no
 * longer in an expected state, or `guard` is false, nothing is written and `moved` is false. Only
 * domain/payments/settle calls this.
 */
export async function writeSettlement(
  db: Db,
  attempt: AttemptKey,
  { to, from, columns, ledgerEntry, payerMail, onlyIf, resolution, isKeySpent = false }: Settlement,
  event: Omit<NewEvent, 'before'>,
  guard?: Guard,
): Promise<{ moved: boolean; attempt: Attempt | undefined }> {
  const names = Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const shape: SettlementShape = {
    to,
    from,
    onlyIf,
    columns: names,
    entry: ledgerEntry?.kind ?? null,
    isKeySpent,
    hasPayerMail: payerMail !== undefined,
    isDecided: resolution !== undefined,
  };
  const values = {
    attempt,
    event,
    columns,
    entry: ledgerEntry ? completeRow(ledger, ledgerEntry) : NO_ENTRY,
    payerMail: payerMail ? completeRow(outbox, { ...payerMail, recipient: '' }) : NO_MAIL,
    resolution: resolution ? completeRow(resolutions, resolution) : NO_RESOLUTION,
  } as const;
  const statements = settlementStatements(db, values, { ...shape, guard }, guard ? null : JSON.stringify(shape));
  const [, moved, resultingRow] = await db.$client.batch<RawRow>(statements);
  return { moved: moved?.results.length === 1, attempt: attemptsIn(resultingRow)[0] };
}

const NO_ENTRY = {} as Entry;
const NO_MAIL = {} as PayerMail;
const NO_RESOLUTION = {} as Resolution;

/**
 * A batch continues after an UPDATE without a match. So the next statement checks by `changes()` that the state was
 * changed, and all later ones check that the attempt is in the new state. A trigger of that UPDATE updates the invoice.
 */
function consequenceWrites(db: Db, { attempt, entry, payerMail }: SettlementValues, shape: SettlementShape) {
  const { id, accountId, invoiceId, collection } = attempt;
  const { to, onlyIf } = shape;
  const isInState = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${id} AND state = ${to})`;
  const isInLedger = sql`EXISTS (SELECT 1 FROM ledger WHERE attempt_id = ${id} AND kind = 'payment')`;
  const isDue = onlyIf ? sql`${isInState} AND ${isInLedger}` : isInState;
  const mayAdvanceCollection = and(
    eq(invoices.accountId, accountId),
    eq(invoices.invoiceId, invoiceId),
    eq(invoices.collection, collection),
    sql`local_status = 'none' AND collection_base_cents IS NULL AND NOT EXISTS (SELECT 1 FROM payment_attempts
      WHERE account_id = ${accountId} AND invoice_id = ${invoiceId} AND collection = ${collection}
        AND state IN (${sql.raw(LIVE_ATTEMPT_STATES.map((state) => `'${state}'`).join(', '))}))`,
    sql`${isInState} AND NOT ${isInLedger} AND changes() > 0`,
  );
  const hasJustChanged = sql`changes() = 1`;
  // The entry that books a payment cannot require a booked payment; later entries must.
  const mayBook =
    onlyIf === 'in-ledger' && shape.entry !== 'payment' ? sql`${hasJustChanged} AND ${isInLedger}` : hasJustChanged;
  const recipient = sql`(SELECT receipt_to FROM payment_attempts WHERE id = ${id})`;
  const hasRecipient = sql`EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${id} AND receipt_to <> '')`;
  return [
    ...(shape.entry ? [db.insert(ledger).select(selectValues(ledger, entry, mayBook))] : []),
    ...(shape.isKeySpent
      ? [
          db
            .update(invoices)
            .set({ collection: sql.raw(nextCollectionOf('invoices')) })
            .where(mayAdvanceCollection),
        ]
      : []),
    ...(shape.hasPayerMail
      ? [
          db
            .insert(outbox)
            .select(selectValues(outbox, payerMail, sql`${isDue} AND ${hasRecipient}`, { recipient }))
            .onConflictDoNothing(),
        ]
      : []),
  ];
}

/** Release a claim that certainly never reached the gateway, so that the payer can try again at once. */
export async function releaseClaim(db: Db, id: string, at: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(attemptTable)
      .set({ state: 'rejected', settledAt: at, nextCheckAt: null })
      .where(and(eq(attemptTable.id, id), eq(attemptTable.state, 'sent'))),
    eventWrite(db, event),
  ]);
}

export async function findAttempt(db: Db, id: string): Promise<Attempt | undefined> {
  return db.query.paymentAttempts.findFirst({ where: eq(attemptTable.id, id) });
}

/**
 * The other payments of an attempt's invoice, in any collection (cents): `keptCents` is kept or submitted to a bank,
 * `undecidedCents` waits for a person.
 */
export async function sumOtherPayments(
  db: Db,
  { id, accountId, invoiceId }: AttemptKey,
): Promise<{ keptCents: number; undecidedCents: number }> {
  const isSubmitted = or(
    eq(attemptTable.state, 'pending'),
    and(eq(attemptTable.state, 'needs_human'), eq(attemptTable.needsHumanFrom, 'pending')),
  );
  const isKept = or(eq(attemptTable.state, 'approved'), isSubmitted);
  const sumWhere = (condition: SQL | undefined) =>
    sql<number>`coalesce(sum(iif(${condition}, ${attemptTable.amountCents} - ${attemptTable.refundedCents}, 0)), 0)`;
  const [row] = await db
    .select({
      keptCents: sumWhere(isKept),
      undecidedCents: sumWhere(sql`${attemptTable.state} = 'needs_human' AND NOT ${isKept}`),
    })
    .from(attemptTable)
    .where(and(eq(attemptTable.accountId, accountId), eq(attemptTable.invoiceId, invoiceId), ne(attemptTable.id, id)));
  return row ?? { keptCents: 0, undecidedCents: 0 };
}

/** The attempt whose ledger entry has this gateway transaction. */
export async function findLedgerPayment(
  db: Db,
  { accountId, method }: Pick<Attempt, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<Attempt | undefined> {
  const [row] = await db
    .select({ attempt: attemptTable })
    .from(ledger)
    .innerJoin(attemptTable, eq(attemptTable.id, ledger.attemptId))
    .where(and(eq(ledger.accountId, accountId), eq(ledger.providerTxnId, providerTxnId), eq(ledger.method, method)));
  return row?.attempt;
}

/** Attempts whose status inquiry is due, longest due first. */
export function listDueAttempts(db: Db, at: number, limit: number): Promise<Attempt[]> {
  return db
    .select()
    .from(attemptTable)
    .where(lte(attemptTable.nextCheckAt, at))
    .orderBy(asc(attemptTable.nextCheckAt))
    .limit(limit);
}

/** Claim the next status inquiry of an attempt. False if another caller was faster. */
export async function claimCheck(
  db: Db,
  attempt: Attempt,
  checkedAt: number,
  nextCheckAt: number | null,
): Promise<boolean> {
  const rows = await db
    .update(attemptTable)
    .set({ checkedAt, nextCheckAt, checks: attempt.checks + 1 })
    .where(
      and(
        eq(attemptTable.id, attempt.id),
        eq(attemptTable.state, attempt.state),
        eq(attemptTable.checks, attempt.checks),
      ),
    )
    .returning({ id: attemptTable.id });
  return rows.length === 1;
}

type LookupResult = { kind?: string; txnId?: string | undefined };

/**
 * Record that the gateway has reported a charge of an open attempt. From then on, an empty response no longer proves
 * that nothing was charged.
 */
export async function recordReportedCharge(db: Db, id: string, txnId: string): Promise<void> {
  await db
    .update(attemptTable)
    .set({ providerTxnId: txnId })
    .where(
      and(
        eq(attemptTable.id, id),
        inArray(attemptTable.state, ['sent', 'unknown']),
        isNull(attemptTable.providerTxnId),
      ),
    );
}

/**
 * Record a lookup that settled nothing. `empty`: the gateway has no transaction; such responses are counted. `txnId`:
 * the gateway has a transaction in an unknown state, so later empty responses no longer count as proof. A known
 * transaction of the attempt, such as a pending bank debit, stays.
 */
export async function recordCheck(db: Db, attempt: Attempt, { kind, txnId }: LookupResult, nextCheckAt: number | null) {
  await db
    .update(attemptTable)
    .set({
      nextCheckAt,
      providerTxnId: attempt.providerTxnId ?? txnId,
      ...(kind === 'empty' && { emptyChecks: sql`${attemptTable.emptyChecks} + 1` }),
    })
    .where(and(eq(attemptTable.id, attempt.id), eq(attemptTable.state, attempt.state)));
}
