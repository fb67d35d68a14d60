import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type ApprovalRow, approvals } from '#worker/data/schema/proofs';
import { paymentAttempts, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { oweMailToStaff } from '../mail/owe-to-staff.ts';
import { selectValues } from '../select-values.ts';
import { GIVE_BACK, givesBack, whoGivesBack } from './giving-back.ts';

type Person = { accountId: number; userId: number };

/** SQL: who of an account may give money back or approve it, besides this person. */
const others = ({ accountId, userId }: Person): SQL =>
  sql`(SELECT 1 FROM ${whoGivesBack(accountId)} WHERE user_id <> ${userId})`;

/** Above how many cents of a payment a second person approves (null: none), and whether there is another one. */
export async function findSecondPerson(db: Db, person: Person): Promise<{ cents: number | null; isThere: boolean }> {
  const row = await db.get<{ cents: number | null; other: number } | undefined>(
    sql`SELECT second_person_cents AS cents, EXISTS ${others(person)} AS other FROM hubs WHERE hub_id = ${person.accountId}`,
  );
  return { cents: row?.cents ?? null, isThere: row?.other === 1 };
}

/**
 * Let a refund or void wait for a second person, and owe everybody who may approve it a mail; one of this payment that
 * nobody decided in time ends. Answers the row of this request key: an earlier one, where it was asked for before, which
 * owes no further mail. Undefined: another one of this payment waits.
 */
export async function insertApproval(
  db: Db,
  row: typeof approvals.$inferInsert,
  mail: Omit<NewMail, 'recipient' | 'accountId'>,
  event: NewEvent,
): Promise<{ kept: ApprovalRow | undefined; mailIds: string[] }> {
  const { accountId, attemptId, requestKey, askedAt, askedBy } = row;
  const isNew = sql`EXISTS (SELECT 1 FROM approvals WHERE id = ${row.id})`;
  const [, , , [kept], mails] = await db.batch([
    db
      .update(approvals)
      .set({ state: 'ended' })
      .where(and(eq(approvals.attemptId, attemptId), sql`state = 'waiting' AND ends_at <= ${askedAt}`)),
    db
      .insert(approvals)
      .select(selectValues(approvals, row, sql`1`))
      .onConflictDoNothing(),
    eventWrite(db, event),
    db
      .select()
      .from(approvals)
      .where(and(eq(approvals.accountId, accountId), eq(approvals.requestKey, requestKey))),
    oweMailToStaff(db, { accountId, roles: GIVE_BACK, but: askedBy }, mail, askedAt, isNew),
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

/**
 * Decide what waits: of two who decide at once, one does. Who asked may take it back and never approves it. Undefined: it
 * does not wait any more, or `by` may not decide it.
 */
export async function decideApproval(
  db: Db,
  { id, by, to, now }: { id: string; by: Person; to: 'approved' | 'refused'; now: number },
  event: NewEvent,
): Promise<ApprovalRow | undefined> {
  const may = givesBack(by.accountId, by.userId);
  const isOthers = to === 'approved' ? sql`asked_by <> ${by.userId}` : sql`1`;
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
          isOthers,
          may,
        ),
      )
      .returning(),
    eventWrite(db, event),
  ]);
  return decided;
}

/** Approved ones that the request of their approval has not carried out in time. `at`: UTC ms. */
export const listDueApprovals = (db: Db, at: number, limit: number): Promise<ApprovalRow[]> =>
  db
    .select()
    .from(approvals)
    .where(and(sql`next_try_at IS NOT NULL`, lte(approvals.nextTryAt, at)))
    .orderBy(asc(approvals.nextTryAt))
    .limit(limit);

/** An approved one that was carried out: the clock has nothing to do for it any more. */
export const markCarriedOut = (db: Db, id: string) =>
  db.update(approvals).set({ nextTryAt: null }).where(eq(approvals.id, id));

/** An approved one that came to nothing: it waits again, or has ended. */
export async function undoApproval(db: Db, id: string, to: 'waiting' | 'ended', event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(approvals)
      .set(
        to === 'waiting'
          ? { state: to, decidedBy: null, decidedAt: null, nextTryAt: null }
          : { state: to, nextTryAt: null },
      )
      .where(and(eq(approvals.id, id), eq(approvals.state, 'approved'))),
    eventWrite(db, event),
  ]);
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
    .leftJoin(asker, and(eq(asker.accountId, approvals.accountId), eq(asker.userId, approvals.askedBy)))
    .leftJoin(decider, and(eq(decider.accountId, approvals.accountId), eq(decider.userId, approvals.decidedBy)))
    .where(
      and(eq(approvals.accountId, accountId), id === undefined ? gt(approvals.askedAt, from) : eq(approvals.id, id)),
    )
    .orderBy(desc(approvals.askedAt))
    .limit(200);
  return rows.map(({ approval, ...more }) => ({ ...approval, ...more }));
}
