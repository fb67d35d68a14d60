import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type ApprovalRow, approvals } from '#worker/data/schema/proofs';
import type { ReversalState } from '#worker/data/schema/refunds';
import { paymentAttempts, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { type NewMail, oweMailToStaff } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';
import { GIVE_BACK, givesBack, whoGivesBack } from './allowance.ts';
import { isRequestRefused } from './reversals.ts';

type Person = { accountId: number; userId: number };

/** SQL: who of an account may give money back or approve it, besides this person. */
const others = ({ accountId, userId }: Person): SQL =>
  sql`(SELECT 1 FROM ${whoGivesBack(accountId)} WHERE user_id <> ${userId})`;

/** Above how many cents of a payment a second person approves (null: none), and whether there is another one. */
export async function findSecondPerson(db: Db, person: Person): Promise<{ cents: number | null; isThere: boolean }> {
  const row = await db.get<{ cents: number | null; other: number } | undefined>(
    sql`SELECT second_person_cents AS cents, EXISTS ${others(person)} AS other FROM accounts WHERE account_id = ${person.accountId}`,
  );
  return { cents: row?.cents ?? null, isThere: row?.other === 1 };
}

/**
 * Let a refund or void wait for a second person, and owe everybody who may approve it a mail; one of this payment that
 * nobody decided in time ends. Answers the row of this request key: an earlier one, where it was asked for before, which
 * owes no further mail. Undefined: another one of this payment waits, or this press was refused.
 */
export async function insertApproval(
  db: Db,
  row: typeof approvals.$inferInsert,
  mail: Omit<NewMail, 'recipient' | 'accountId'>,
  event: NewEvent,
): Promise<{ kept: ApprovalRow | undefined; mailIds: string[] }> {
  const { accountId, attemptId, requestKey, requestedAt, requestedBy } = row;
  const isNew = sql`EXISTS (SELECT 1 FROM approvals WHERE id = ${row.id})`;
  const [, , , [kept], mails] = await db.batch([
    db
      .update(approvals)
      .set({ state: 'ended', nextTryAt: null })
      .where(and(eq(approvals.attemptId, attemptId), sql`state = 'waiting' AND ends_at <= ${requestedAt}`)),
    db
      .insert(approvals)
      .select(selectValues(approvals, { ...row, nextTryAt: row.endsAt }, sql`NOT ${isRequestRefused(row)}`))
      .onConflictDoNothing(),
    eventWrite(db, event),
    db
      .select()
      .from(approvals)
      .where(and(eq(approvals.accountId, accountId), eq(approvals.requestKey, requestKey))),
    oweMailToStaff(db, { accountId, roles: GIVE_BACK, but: requestedBy }, mail, requestedAt, isNew),
  ]);
  return { kept, mailIds: mails.map(({ id }) => id) };
}

export const findApproval = async (db: Db, accountId: number, id: string): Promise<ApprovalRow | undefined> =>
  (
    await db
      .select()
      .from(approvals)
      .where(and(eq(approvals.id, id), eq(approvals.accountId, accountId)))
  )[0];

/** The request that approves carries it out at once; after so long (ms) the clinic's clock does. */
const CARRIED_OUT_WITHIN_MS = 60_000;

/** SQL: money of the payment went back since an approval was asked for, also where a restore had lost that it did. */
const WENT_BACK_SINCE = sql`EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = approvals.attempt_id
  AND l.kind <> 'payment' AND l.at >= approvals.requested_at)`;

/**
 * Decide what waits: of two who decide at once, one does. Who asked may take it back and never approves it. Undefined: it
 * does not wait any more, `by` may not decide it, or money of the payment went back since it was asked for.
 */
export async function decideApproval(
  db: Db,
  { id, by, to, now }: { id: string; by: Person; to: 'approved' | 'refused'; now: number },
  event: NewEvent,
): Promise<ApprovalRow | undefined> {
  const may = givesBack(by.accountId, by.userId);
  const mayBeSo = to === 'approved' ? sql`requested_by <> ${by.userId} AND NOT ${WENT_BACK_SINCE}` : sql`1`;
  const [[decided]] = await db.batch([
    db
      .update(approvals)
      .set({
        state: to,
        decidedBy: by.userId,
        decidedAt: now,
        nextTryAt: to === 'approved' ? now + CARRIED_OUT_WITHIN_MS : null,
      })
      .where(
        and(
          eq(approvals.id, id),
          eq(approvals.accountId, by.accountId),
          sql`state = 'waiting' AND ends_at > ${now}`,
          mayBeSo,
          may,
        ),
      )
      .returning(),
    eventWrite(db, event),
  ]);
  return decided;
}

/** Whether one still waits although money of its payment went back since it was asked for. */
export const waitsInVain = async (db: Db, id: string): Promise<boolean> =>
  (
    await db
      .select({ id: approvals.id })
      .from(approvals)
      .where(and(eq(approvals.id, id), sql`state = 'waiting' AND ${WENT_BACK_SINCE}`))
  ).length > 0;

export type DueApproval = ApprovalRow & {
  /** Since it was asked for, money of the payment went back; or since the approval, another request for it was made. */
  isOvertaken: boolean;
  /** The state of its refund, which has a clock of its own once it was claimed; null: it was not. */
  became: ReversalState | null;
};

/** SQL: the refund or void of an approval, by its request key. */
const OWN_REFUND = sql`FROM reversals r WHERE r.attempt_id = approvals.attempt_id AND r.request_key = approvals.request_key`;
const IN_VAIN = sql`EXISTS (SELECT 1 ${OWN_REFUND} AND r.state IN ('refused', 'not_done'))`;
/** SQL: it was claimed, and is made or may still be. */
const HAS_BEGUN = sql`EXISTS (SELECT 1 ${OWN_REFUND} AND r.state NOT IN ('refused', 'not_done'))`;

/** Whether nothing came of a refund or void. */
export const cameToNothing = (state: ReversalState): boolean => state === 'refused' || state === 'not_done';

const GIVEN_BACK_OTHERWISE = sql`EXISTS (SELECT 1 FROM reversals r WHERE r.attempt_id = approvals.attempt_id
    AND r.request_key <> approvals.request_key AND r.created_at >= approvals.decided_at)
  OR ${WENT_BACK_SINCE}
  OR EXISTS (SELECT 1 FROM approvals o WHERE o.attempt_id = approvals.attempt_id AND o.id <> approvals.id
    AND o.requested_at >= approvals.decided_at)`;

/** What the clock ends or carries out now: those that nobody decided, and approved ones that were not carried out. */
export async function listDueApprovals(db: Db, at: number, limit: number): Promise<DueApproval[]> {
  const isOvertaken = sql<number>`${eq(approvals.state, 'approved')} AND (${GIVEN_BACK_OTHERWISE})`;
  const rows = await db
    .select({ approval: approvals, isOvertaken, became: sql<ReversalState | null>`(SELECT r.state ${OWN_REFUND})` })
    .from(approvals)
    .where(lte(approvals.nextTryAt, at))
    .orderBy(asc(approvals.nextTryAt))
    .limit(limit);
  return rows.map((row) => ({
    ...row.approval,
    isOvertaken: row.isOvertaken === 1,
    became: row.became,
  }));
}

/** An approved one that was carried out: the clock has nothing to do for it any more, unless nothing comes of its refund. */
export const markCarriedOut = (db: Db, id: string) =>
  db
    .update(approvals)
    .set({ nextTryAt: null })
    .where(and(eq(approvals.id, id), sql`NOT ${IN_VAIN}`));

/** An approved one is tried again then (UTC ms), should this try fail as well. */
export const postponeApproval = (db: Db, id: string, nextTryAt: number) =>
  db
    .update(approvals)
    .set({ nextTryAt })
    .where(and(eq(approvals.id, id), eq(approvals.state, 'approved'), sql`next_try_at IS NOT NULL`));

type Undone = { id: string; from: 'waiting' | 'approved'; to: 'waiting' | 'ended'; now: number };

/**
 * End one of which nothing came, or let it wait again, unless its week is over or another one of its payment waits. Answers
 * what became of it; undefined: it has moved on, or its refund has begun. `eventOf` writes each event with its state.
 */
export async function undoApproval(
  db: Db,
  { id, from, to, now }: Undone,
  eventOf: (state: 'waiting' | 'ended') => NewEvent,
): Promise<'waiting' | 'ended' | undefined> {
  const isUndone = and(eq(approvals.id, id), eq(approvals.state, from), sql`NOT ${HAS_BEGUN}`);
  const mayWait = sql`ends_at > ${now} AND NOT EXISTS (SELECT 1 FROM approvals o
    WHERE o.attempt_id = approvals.attempt_id AND o.state = 'waiting')`;
  const [waits, , ends] = await db.batch([
    db
      .update(approvals)
      .set({ state: 'waiting', decidedBy: null, decidedAt: null, nextTryAt: sql`ends_at` })
      .where(and(isUndone, to === 'waiting' ? mayWait : sql`0`))
      .returning({ id: approvals.id }),
    eventWrite(db, eventOf('waiting')),
    db.update(approvals).set({ state: 'ended', nextTryAt: null }).where(isUndone).returning({ id: approvals.id }),
    eventWrite(db, eventOf('ended')),
  ]);
  if (waits.length > 0) return 'waiting';
  return ends.length > 0 ? 'ended' : undefined;
}

export type ListedApproval = ApprovalRow & {
  invoiceId: string;
  invoiceNumber: string;
  currency: string;
  payer: string;
  askedByName: string;
  decidedByName: string | null;
};

/** What waits, and what was asked for since `from` (UTC ms), the newest first; 200 at most. */
export async function listApprovals(
  db: Db,
  accountId: number,
  { from, id }: { from: number; id?: string },
): Promise<ListedApproval[]> {
  const [asker, decider] = [alias(users, 'asker'), alias(users, 'decider')];
  const rows = await db
    .select({
      approval: approvals,
      invoiceId: paymentAttempts.invoiceId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      currency: paymentAttempts.currency,
      payer: sql<string>`trim(${paymentAttempts.payerFirstName} || ' ' || ${paymentAttempts.payerLastName})`,
      askedByName: sql<string>`coalesce(nullif(${asker.name}, ''), ${asker.email}, '')`,
      decidedByName: sql<string | null>`coalesce(nullif(${decider.name}, ''), ${decider.email})`,
    })
    .from(approvals)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, approvals.attemptId))
    .leftJoin(asker, and(eq(asker.accountId, approvals.accountId), eq(asker.userId, approvals.requestedBy)))
    .leftJoin(decider, and(eq(decider.accountId, approvals.accountId), eq(decider.userId, approvals.decidedBy)))
    .where(
      and(
        eq(approvals.accountId, accountId),
        id === undefined ? gt(approvals.requestedAt, from) : eq(approvals.id, id),
      ),
    )
    .orderBy(desc(approvals.requestedAt))
    .limit(200);
  return rows.map(({ approval, ...more }) => ({ ...approval, ...more }));
}
