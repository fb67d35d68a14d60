import { and, eq, sql } from 'drizzle-orm';
import { factorCodes, pins, staffPasskeys } from '#worker/data/schema/proofs';
import { sessions } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { type NewMail, oweMail } from '../mail/outbox.ts';
import { selectValues } from '../select-values.ts';
import { type FactorMail, oweFactorMail } from './passkeys.ts';
import { isAdministrator, type Member } from './team.ts';

/** What a person can prove themselves by, and whether another administrator is there. */
export type Factors = { hasPasskey: boolean; hasPin: boolean; hasOtherAdmin: boolean };

export async function findFactors(db: Db, { accountId, userId }: Member): Promise<Factors> {
  const of = sql`account_id = ${accountId} AND user_id = ${userId}`;
  const row = await db.get<{ passkey: number; pin: number; admin: number }>(sql`SELECT
    EXISTS (SELECT 1 FROM staff_passkeys WHERE ${of}) AS passkey, EXISTS (SELECT 1 FROM pins WHERE ${of}) AS pin,
    EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId} AND user_id <> ${userId} AND role = 'admin'
      AND removed_at IS NULL) AS admin`);
  return { hasPasskey: row.passkey === 1, hasPin: row.pin === 1, hasOtherAdmin: row.admin === 1 };
}

/** Note the PIN as the proof of a session. False: the session is over. */
export async function proveByPin(db: Db, sessionId: string, now: number, event: NewEvent): Promise<boolean> {
  const [proved] = await db.batch([
    db
      .update(sessions)
      .set({ provedAt: now, proof: 'pin' })
      .where(and(eq(sessions.id, sessionId), sql`revoked_at IS NULL AND ends_at > ${now}`))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return proved.length === 1;
}

type FactorCode = typeof factorCodes.$inferInsert;

/** Keep a code with its mail to the person's address. False: they asked for as many as they may within the hour. */
export async function insertFactorCode(
  db: Db,
  row: FactorCode,
  { mostPerHour, mail }: { mostPerHour: number; mail: NewMail },
): Promise<boolean> {
  const { accountId, userId, createdAt } = row;
  const isWithin = sql`(SELECT count(*) FROM factor_codes WHERE account_id = ${accountId} AND user_id = ${userId}
    AND created_at > ${createdAt - 3_600_000}) < ${mostPerHour}`;
  const kept = await db
    .insert(factorCodes)
    .select(selectValues(factorCodes, row, isWithin))
    .returning({ id: factorCodes.id });
  if (kept.length === 1) await oweMail(db, mail, createdAt);
  return kept.length === 1;
}

/** Count a try of the newest code of this session and person. Undefined: there is none that may still be tried. */
export async function tryFactorCode(
  db: Db,
  { accountId, userId, sessionId }: Member & { sessionId: string },
  most: number,
  now: number,
): Promise<{ id: string; codeHash: string } | undefined> {
  const newest = sql`(SELECT id FROM factor_codes WHERE account_id = ${accountId} AND user_id = ${userId}
    AND session_id = ${sessionId} ORDER BY created_at DESC, id LIMIT 1)`;
  const [row] = await db
    .update(factorCodes)
    .set({ tries: sql`${factorCodes.tries} + 1` })
    .where(sql`id = ${newest} AND taken_at IS NULL AND ends_at > ${now} AND tries < ${most}`)
    .returning({ id: factorCodes.id, codeHash: factorCodes.codeHash });
  return row;
}

/** Use a code up; of two uses at once, one does. */
export async function takeFactorCode(db: Db, id: string, now: number): Promise<boolean> {
  const taken = await db
    .update(factorCodes)
    .set({ takenAt: now })
    .where(and(eq(factorCodes.id, id), sql`taken_at IS NULL AND ends_at > ${now}`))
    .returning({ id: factorCodes.id });
  return taken.length === 1;
}

/**
 * Take a member's passkeys and PIN away, by an administrator; null: by the operator. False: there is none, or `by` may not
 * any more.
 */
export async function deleteFactors(
  db: Db,
  by: Member | null,
  member: Member,
  mail: FactorMail,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const may = isAdministrator(by);
  const { accountId, userId } = member;
  const hasOne = sql`(EXISTS (SELECT 1 FROM staff_passkeys WHERE account_id = ${accountId} AND user_id = ${userId})
    OR EXISTS (SELECT 1 FROM pins WHERE account_id = ${accountId} AND user_id = ${userId}))`;
  const [passkeysEnd, pinEnd] = factorsEnd(db, member, may);
  const [, , passkeys, pin] = await db.batch([
    // Before both are gone, since neither alone says whether something was.
    eventWrite(db, event, sql`${hasOne} AND ${may}`),
    oweFactorMail(db, member, mail, now),
    passkeysEnd,
    pinEnd,
  ]);
  return passkeys.length + pin.length > 0;
}

/** Statements that take a person's passkeys and PIN away. */
export const factorsEnd = (db: Db, { accountId, userId }: Member, may = sql`1`) =>
  [
    db
      .delete(staffPasskeys)
      .where(and(eq(staffPasskeys.accountId, accountId), eq(staffPasskeys.userId, userId), may))
      .returning({ userId: staffPasskeys.userId }),
    db
      .delete(pins)
      .where(and(eq(pins.accountId, accountId), eq(pins.userId, userId), may))
      .returning({ userId: pins.userId }),
  ] as const;
