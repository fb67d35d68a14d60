import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type ApprovalRow, approvals } from '#worker/data/schema/proofs';
import type { ReversalState } from '#worker/data/schema/refunds';
import { paymentAttempts, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import { type Db, unindexed } from '../db.ts';
import { type NewMail, queueMailToStaff } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';
import {
  isWithinAllowance,
  mayRefund,
  REFUND_ROLES,
  type ReversalLimit,
  usersWhoMayRefund,
  wasRefundedSince,
} from './allowance.ts';
import { isRequestRefused } from './reversals.ts';

type Person = { accountId: number; userId: number };

/** SQL: people of an account, other than this one, who may refund or approve refunds. */
const otherRefunders = ({ accountId, userId }: Person): SQL =>
  sql`(SELECT 1 FROM ${usersWhoMayRefund(accountId)} WHERE user_id <> ${userId})`;

/** The amount above which a second person must approve (cents; null: none), and whether there is another person. */
export async function findSecondPerson(db: Db, person: Person): Promise<{ cents: number | null; isThere: boolean }> {
  const row = await db.get<{ cents: number | null; other: number } | undefined>(
    sql`SELECT second_person_cents AS cents, EXISTS ${otherRefunders(person)} AS other FROM accounts WHERE account_id = ${person.accountId}`,
  );
  return { cents: row?.cents ?? null, isThere: row?.other === 1 };
}

/**
 * Make a refund or void wait for a second person, and queue an email to everyone who may approve it. Ends an expired
 * request for the same payment. Returns the row with this request key; a repeat returns the earlier row and queues no
 * email. Undefined if another request for the payment is waiting, if this one was refused, or if it exceeds the
 * requester's `limit` (null: none).
 */
export async function insertApproval(
  db: Db,
  row: typeof approvals.$inferInsert,
  mail: Omit<NewMail, 'recipient' | 'accountId'>,
  event: NewEvent,
  limit: ReversalLimit | null,
): Promise<{ storedApproval: ApprovalRow | undefined; mailIds: string[] }> {
  const { accountId, attemptId, requestKey, requestedAt, requestedBy } = row;
  const isNew = sql`EXISTS (SELECT 1 FROM approvals WHERE id = ${row.id})`;
  const [, , , [stored], mails] = await db.batch([
    db
      .update(approvals)
      .set({ state: 'ended', nextTryAt: null })
      .where(and(eq(approvals.attemptId, attemptId), sql`state = 'waiting' AND ends_at <= ${requestedAt}`)),
    db
      .insert(approvals)
      .select(
        selectValues(
          approvals,
          { ...row, nextTryAt: row.endsAt },
          sql`NOT ${isRequestRefused(row)} AND ${isWithinAllowance(limit, row.amountCents)}`,
        ),
      )
      .onConflictDoNothing(),
    eventWrite(db, event),
    db
      .select()
      .from(approvals)
      .where(and(eq(approvals.accountId, accountId), eq(approvals.requestKey, requestKey))),
    queueMailToStaff(db, { accountId, roles: REFUND_ROLES, exceptUserId: requestedBy }, mail, requestedAt, isNew),
  ]);
  return { storedApproval: stored, mailIds: mails.map(({ id }) => id) };
}

export const findApproval = async (db: Db, accountId: number, id: string): Promise<ApprovalRow | undefined> =>
  (
    await db
      .select()
      .from(approvals)
      .where(and(eq(approvals.id, id), eq(approvals.accountId, accountId)))
  )[0];

/**
 * The approving request carries out the refund at once. If it fails, the clinic's alarm does so after this time (ms).
 */
const CARRY_OUT_DELAY_MS = 60_000;

/**
 * Decide on a waiting request; of two concurrent decisions, one succeeds. The requester may withdraw it, but never
 * approve it. Undefined if it is no longer waiting, if `decider` may not decide on it, or if money has been refunded
 * since the request. `note`: the reason for a refusal, if any.
 */
export async function decideApproval(
  db: Db,
  {
    id,
    decider,
    to,
    note,
    now,
  }: { id: string; decider: Person; to: 'approved' | 'refused'; note: string; now: number },
  event: NewEvent,
): Promise<ApprovalRow | undefined> {
  const isRefunder = mayRefund(decider.accountId, decider.userId);
  const isPermitted =
    to === 'approved' ? sql`requested_by <> ${decider.userId} AND NOT ${wasRefundedSince('approvals')}` : sql`1`;
  const [[decided]] = await db.batch([
    db
      .update(approvals)
      .set({
        state: to,
        decidedBy: decider.userId,
        decidedAt: now,
        decisionNote: note,
        nextTryAt: to === 'approved' ? now + CARRY_OUT_DELAY_MS : null,
      })
      .where(
        and(
          eq(approvals.id, id),
          eq(approvals.accountId, decider.accountId),
          sql`state = 'waiting' AND ends_at > ${now}`,
          isPermitted,
          isRefunder,
        ),
      )
      .returning(),
    eventWrite(db, event),
  ]);
  return decided;
}

/** True if a request is still waiting although money of its payment has been refunded in the meantime. */
export const cannotSucceed = async (db: Db, id: string): Promise<boolean> =>
  (
    await db
      .select({ id: approvals.id })
      .from(approvals)
      .where(and(eq(approvals.id, id), sql`state = 'waiting' AND ${wasRefundedSince('approvals')}`))
  ).length > 0;

export type DueApproval = ApprovalRow & {
  /** Money has been refunded since the request, or another request was made after the approval. */
  isOvertaken: boolean;
  /** The state of its refund, which has its own lookups once it is claimed; null if there is none. */
  became: ReversalState | null;
};

/** SQL: the refund or void of an approval, by its request key. */
const OWN_REFUND = sql`FROM reversals r WHERE r.attempt_id = approvals.attempt_id AND r.request_key = approvals.request_key`;
const REFUND_HAS_FAILED = sql`EXISTS (SELECT 1 ${OWN_REFUND} AND r.state IN ('refused', 'not_done'))`;
/** SQL: the refund was claimed, and has succeeded or may still succeed. */
const REFUND_HAS_STARTED = sql`EXISTS (SELECT 1 ${OWN_REFUND} AND r.state NOT IN ('refused', 'not_done'))`;

/** True if a refund or void ended without moving money. */
export const hasFailed = (state: ReversalState): boolean => state === 'refused' || state === 'not_done';

const WAS_OVERTAKEN = sql`EXISTS (SELECT 1 FROM reversals r WHERE r.attempt_id = approvals.attempt_id
    AND r.request_key <> approvals.request_key AND r.created_at >= approvals.decided_at)
  OR ${wasRefundedSince('approvals')}
  OR EXISTS (SELECT 1 FROM approvals o WHERE o.attempt_id = approvals.attempt_id AND o.id <> approvals.id
    AND o.requested_at >= approvals.decided_at)`;

/** Requests that the alarm must process: expired requests, and approved requests that were not carried out. */
export async function listDueApprovals(db: Db, at: number, limit: number): Promise<DueApproval[]> {
  const isOvertaken = sql<number>`${eq(approvals.state, 'approved')} AND (${WAS_OVERTAKEN})`;
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

/** Mark an approval as carried out, so that the alarm skips it, unless its refund has failed. */
export const markCarriedOut = (db: Db, id: string) =>
  db
    .update(approvals)
    .set({ nextTryAt: null })
    .where(and(eq(approvals.id, id), sql`NOT ${REFUND_HAS_FAILED}`));

/** Set the time of the next attempt to carry out an approved request (UTC ms), in case this one fails. */
export const postponeApproval = (db: Db, id: string, nextTryAt: number) =>
  db
    .update(approvals)
    .set({ nextTryAt })
    .where(and(eq(approvals.id, id), eq(approvals.state, 'approved'), sql`next_try_at IS NOT NULL`));

type UndoneApproval = { id: string; from: 'waiting' | 'approved'; to: 'waiting' | 'ended'; now: number };

/**
 * End a request that had no result, or make it wait again unless its week is over or another request for its payment is
 * waiting. Returns the new state; undefined if the request has changed, or if its refund has started. `eventOf` creates
 * the event for each state.
 */
export async function undoApproval(
  db: Db,
  { id, from, to, now }: UndoneApproval,
  eventOf: (state: 'waiting' | 'ended') => NewEvent,
): Promise<'waiting' | 'ended' | undefined> {
  const isUndone = and(eq(approvals.id, id), eq(approvals.state, from), sql`NOT ${REFUND_HAS_STARTED}`);
  const mayWait = sql`ends_at > ${now} AND NOT EXISTS (SELECT 1 FROM approvals o
    WHERE o.attempt_id = approvals.attempt_id AND o.state = 'waiting')`;
  const [waitingRows, , endedRows] = await db.batch([
    db
      .update(approvals)
      .set({ state: 'waiting', decidedBy: null, decidedAt: null, nextTryAt: sql`ends_at` })
      .where(and(isUndone, to === 'waiting' ? mayWait : sql`0`))
      .returning({ id: approvals.id }),
    eventWrite(db, eventOf('waiting')),
    db.update(approvals).set({ state: 'ended', nextTryAt: null }).where(isUndone).returning({ id: approvals.id }),
    eventWrite(db, eventOf('ended')),
  ]);
  if (waitingRows.length > 0) return 'waiting';
  return endedRows.length > 0 ? 'ended' : undefined;
}

export type ListedApproval = ApprovalRow & {
  invoiceId: string;
  invoiceNumber: string;
  currency: string;
  payer: string;
  askedByName: string;
  decidedByName: string | null;
};

/** The request of a payment that waits for a second person at `now` (UTC ms), with the name of the requester. */
export const findWaitingApproval = async (
  db: Db,
  accountId: number,
  attemptId: string,
  now: number,
): Promise<(Pick<ApprovalRow, 'kind' | 'amountCents'> & { askedBy: string }) | undefined> =>
  (
    await db
      .select({
        kind: approvals.kind,
        amountCents: approvals.amountCents,
        askedBy: sql<string>`coalesce(nullif(${users.name}, ''), ${users.email}, '')`,
      })
      .from(approvals)
      .leftJoin(users, and(eq(users.accountId, approvals.accountId), eq(users.userId, approvals.requestedBy)))
      .where(
        and(
          eq(approvals.attemptId, attemptId),
          // Must match the partial index word for word.
          sql`state = 'waiting'`,
          eq(approvals.accountId, accountId),
          gt(approvals.endsAt, now),
        ),
      )
  )[0];

/** Requests made after `from` (UTC ms), newest first, 200 at most; or only the one with `id`. */
export async function listApprovals(
  db: Db,
  accountId: number,
  { from, id }: { from: number; id?: string },
): Promise<ListedApproval[]> {
  const [requester, decider] = [alias(users, 'asker'), alias(users, 'decider')];
  const rows = await db
    .select({
      approval: approvals,
      invoiceId: paymentAttempts.invoiceId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      currency: paymentAttempts.currency,
      payer: sql<string>`trim(${paymentAttempts.payerFirstName} || ' ' || ${paymentAttempts.payerLastName})`,
      askedByName: sql<string>`coalesce(nullif(${requester.name}, ''), ${requester.email}, '')`,
      decidedByName: sql<string | null>`coalesce(nullif(${decider.name}, ''), ${decider.email})`,
    })
    .from(approvals)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, approvals.attemptId))
    .leftJoin(requester, and(eq(requester.accountId, approvals.accountId), eq(requester.userId, approvals.requestedBy)))
    .leftJoin(decider, and(eq(decider.accountId, approvals.accountId), eq(decider.userId, approvals.decidedBy)))
    .where(
      and(
        // Otherwise SQLite uses the account's unique key and reads all approvals.
        eq(unindexed(approvals.accountId), accountId),
        id === undefined ? gt(approvals.requestedAt, from) : eq(approvals.id, id),
      ),
    )
    .orderBy(desc(approvals.requestedAt))
    .limit(200);
  return rows.map(({ approval, ...details }) => ({ ...approval, ...details }));
}
