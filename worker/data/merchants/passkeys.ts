import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { type StaffPasskeyRow, staffPasskeys, takenChallenges } from '#worker/data/schema/proofs';
import { outbox, sessions } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';
import type { Member } from './team.ts';

/** Passkeys of a clinic's staff. */

/** A use of a passkey, with the passkey's signature count before and after. */
export type PasskeyUse = { id: string; countBefore: number; countAfter: number };

/** Mark a challenge as used. False if it was already used. `endsAt`: the time at which it expires (UTC ms). */
export async function useStaffChallenge(db: Db, challenge: string, endsAt: number): Promise<boolean> {
  const inserted = await db
    .insert(takenChallenges)
    .values({ challenge, endsAt })
    .onConflictDoNothing()
    .returning({ challenge: takenChallenges.challenge });
  return inserted.length > 0;
}

export const findStaffPasskey = async (db: Db, id: string): Promise<StaffPasskeyRow | undefined> =>
  (await db.select().from(staffPasskeys).where(eq(staffPasskeys.id, id)))[0];

const belongsTo = ({ accountId, userId }: Member) =>
  and(eq(staffPasskeys.accountId, accountId), eq(staffPasskeys.userId, userId));

/** A person's passkeys, oldest first. */
export const listStaffPasskeys = (db: Db, person: Member): Promise<StaffPasskeyRow[]> =>
  db.select().from(staffPasskeys).where(belongsTo(person)).orderBy(asc(staffPasskeys.createdAt)).limit(100);

const isUnused = ({ id, countBefore }: PasskeyUse) =>
  and(eq(staffPasskeys.id, id), eq(staffPasskeys.counter, countBefore));

/** Record a use of a passkey. False if it was deleted, or if another use with the same count was faster. */
export async function useStaffPasskey(db: Db, use: PasskeyUse, now: number): Promise<boolean> {
  const used = await db
    .update(staffPasskeys)
    .set({ counter: use.countAfter, usedAt: now })
    .where(isUnused(use))
    .returning({ id: staffPasskeys.id });
  return used.length === 1;
}

/** Record a use as the proof of a session. False for the reasons of useStaffPasskey(), or if the session has ended. */
export async function proveByStaffPasskey(
  db: Db,
  use: PasskeyUse,
  sessionId: string,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [, proved] = await db.batch([
    db.update(staffPasskeys).set({ counter: use.countAfter, usedAt: now }).where(isUnused(use)),
    db
      .update(sessions)
      .set({ provedAt: now, proof: 'passkey' })
      .where(and(eq(sessions.id, sessionId), sql`revoked_at IS NULL AND ends_at > ${now} AND changes() = 1`))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return proved.length === 1;
}

/** Queue an email about a change to a person's passkeys or PIN. It must directly follow the event of that change. */
export const queueFactorMail = (db: Db, person: Member, mail: Omit<NewMail, 'recipient'>, now: number) => {
  const fromUser = sql`FROM users WHERE account_id = ${person.accountId} AND user_id = ${person.userId}`;
  const mailRow = {
    ...mail,
    details: JSON.stringify(mail.details ?? {}),
    accountId: person.accountId,
    recipient: sql`(SELECT email ${fromUser})`,
    nextTryAt: now,
    createdAt: now,
  };
  return db
    .insert(outbox)
    .select(selectValues(outbox, mailRow, sql`changes() = 1 AND EXISTS (SELECT 1 ${fromUser} AND email <> '')`));
};

export type FactorMail = Omit<NewMail, 'recipient'>;

/**
 * Store a new passkey, which also proves its session, and queue the email about it. With `isFirst`, the person may have
 * no passkey or PIN yet. False if that is no longer true, or if the passkey is already stored.
 */
export async function insertStaffPasskey(
  db: Db,
  row: StaffPasskeyRow,
  { sessionId, isFirst }: { sessionId: string; isFirst: boolean },
  mail: FactorMail,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId, createdAt } = row;
  const [inserted] = await db.batch([
    db
      .insert(staffPasskeys)
      .select(selectValues(staffPasskeys, row, mayAddFactor(row, isFirst)))
      .onConflictDoNothing()
      .returning({ id: staffPasskeys.id }),
    eventWrite(db, event),
    queueFactorMail(db, { accountId, userId }, mail, createdAt),
    db
      .update(sessions)
      .set({ provedAt: createdAt, proof: 'passkey' })
      .where(
        and(
          eq(sessions.id, sessionId),
          sql`EXISTS (SELECT 1 FROM staff_passkeys p WHERE p.id = ${row.id}
          AND p.user_id = ${userId} AND p.created_at = ${createdAt})`,
        ),
      ),
  ]);
  return inserted.length === 1;
}

/** Condition: the person is a member and, with `isFirst`, has neither passkey nor PIN. */
export const mayAddFactor = ({ accountId, userId }: Member, isFirst: boolean): SQL => {
  const isUser = sql`account_id = ${accountId} AND user_id = ${userId}`;
  const isMember = sql`EXISTS (SELECT 1 FROM users WHERE ${isUser} AND removed_at IS NULL)`;
  const hasNoFactor = sql`NOT EXISTS (SELECT 1 FROM staff_passkeys WHERE ${isUser}) AND NOT EXISTS (SELECT 1 FROM pins WHERE ${isUser})`;
  return isFirst ? sql`${isMember} AND ${hasNoFactor}` : isMember;
};

/** Remove a passkey of a person. False if it is not theirs. */
export async function deleteStaffPasskey(
  db: Db,
  person: Member,
  id: string,
  mail: FactorMail,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [deleted] = await db.batch([
    db
      .delete(staffPasskeys)
      .where(and(eq(staffPasskeys.id, id), belongsTo(person)))
      .returning({ id: staffPasskeys.id }),
    eventWrite(db, event),
    queueFactorMail(db, person, mail, now),
  ]);
  return deleted.length === 1;
}
