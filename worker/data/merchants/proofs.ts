import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { factorCodes, pins, staffPasskeys } from '#worker/data/schema/proofs';
import { sessions, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { type NewMail, queueMail } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';
import { type FactorMail, mayAddFactor, queueFactorMail } from './passkeys.ts';
import { isAdministrator, type Member } from './team.ts';

/** The means by which a person can prove their identity, and whether there is another administrator. */
export type Factors = { hasPasskey: boolean; hasPin: boolean; hasOtherAdmin: boolean };

export async function findFactors(db: Db, { accountId, userId }: Member): Promise<Factors> {
  const isUser = sql`account_id = ${accountId} AND user_id = ${userId}`;
  const row = await db.get<{ passkey: number; pin: number; admin: number }>(sql`SELECT
    EXISTS (SELECT 1 FROM staff_passkeys WHERE ${isUser}) AS passkey, EXISTS (SELECT 1 FROM pins WHERE ${isUser}) AS pin,
    EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId} AND user_id <> ${userId} AND role = 'admin'
      AND removed_at IS NULL) AS admin`);
  return { hasPasskey: row.passkey === 1, hasPin: row.pin === 1, hasOtherAdmin: row.admin === 1 };
}

/** Record the PIN as the proof of a session. False if the session has ended. */
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

/** Store a code and queue its email. False if the person has requested too many within the hour. */
export async function insertFactorCode(
  db: Db,
  row: FactorCode,
  { maxPerHour, mail }: { maxPerHour: number; mail: NewMail },
): Promise<boolean> {
  const { accountId, userId, createdAt } = row;
  const isBelowLimit = sql`(SELECT count(*) FROM factor_codes WHERE account_id = ${accountId} AND user_id = ${userId}
    AND created_at > ${createdAt - 3_600_000}) < ${maxPerHour}`;
  const inserted = await db
    .insert(factorCodes)
    .select(selectValues(factorCodes, row, isBelowLimit))
    .returning({ id: factorCodes.id });
  if (inserted.length === 1) await queueMail(db, mail, createdAt);
  return inserted.length === 1;
}

/** Count an attempt to enter the newest code of this session and person. Undefined if no code may be entered. */
export async function countFactorCodeAttempt(
  db: Db,
  { accountId, userId, sessionId }: Member & { sessionId: string },
  maxAttempts: number,
  now: number,
): Promise<{ id: string; codeHash: string } | undefined> {
  const newest = sql`(SELECT id FROM factor_codes WHERE account_id = ${accountId} AND user_id = ${userId}
    AND session_id = ${sessionId} ORDER BY created_at DESC, id LIMIT 1)`;
  const [row] = await db
    .update(factorCodes)
    .set({ tries: sql`${factorCodes.tries} + 1` })
    .where(sql`id = ${newest} AND taken_at IS NULL AND ends_at > ${now} AND tries < ${maxAttempts}`)
    .returning({ id: factorCodes.id, codeHash: factorCodes.codeHash });
  return row;
}

/** Redeem a code; of two concurrent uses, one succeeds. */
export async function markFactorCodeUsed(db: Db, id: string, now: number): Promise<boolean> {
  const redeemed = await db
    .update(factorCodes)
    .set({ takenAt: now })
    .where(and(eq(factorCodes.id, id), sql`taken_at IS NULL AND ends_at > ${now}`))
    .returning({ id: factorCodes.id });
  return redeemed.length === 1;
}

/**
 * Delete a member's passkeys and PIN on behalf of an administrator, or of the operator if `requester` is null. False if
 * there are none, or if the requester is no longer allowed to do so.
 */
export async function deleteFactors(
  db: Db,
  requester: Member | null,
  member: Member,
  mail: FactorMail,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const isAllowed = isAdministrator(requester);
  const { accountId, userId } = member;
  const hasFactor = sql`(EXISTS (SELECT 1 FROM staff_passkeys WHERE account_id = ${accountId} AND user_id = ${userId})
    OR EXISTS (SELECT 1 FROM pins WHERE account_id = ${accountId} AND user_id = ${userId}))`;
  const [passkeyDelete, pinDelete] = factorDeletes(db, member, isAllowed);
  const [, , passkeys, pin] = await db.batch([
    // Before both deletions, because neither result alone shows whether there was anything to delete.
    eventWrite(db, event, sql`${hasFactor} AND ${isAllowed}`),
    queueFactorMail(db, member, mail, now),
    passkeyDelete,
    pinDelete,
  ]);
  return passkeys.length + pin.length > 0;
}

/** Statements that delete a person's passkeys and PIN. */
export const factorDeletes = (db: Db, { accountId, userId }: Member, condition = sql`1`) =>
  [
    db
      .delete(staffPasskeys)
      .where(and(eq(staffPasskeys.accountId, accountId), eq(staffPasskeys.userId, userId), condition))
      .returning({ userId: staffPasskeys.userId }),
    db
      .delete(pins)
      .where(and(eq(pins.accountId, accountId), eq(pins.userId, userId), condition))
      .returning({ userId: pins.userId }),
  ] as const;

/** PINs of a clinic's staff. */

export type PinRow = typeof pins.$inferSelect;

const belongsTo = ({ accountId, userId }: Member) => and(eq(pins.accountId, accountId), eq(pins.userId, userId));

/** The PIN of a person who has not been removed. */
export async function findPin(db: Db, person: Member): Promise<PinRow | undefined> {
  const [row] = await db
    .select({ pin: pins })
    .from(pins)
    .innerJoin(users, and(eq(users.accountId, pins.accountId), eq(users.userId, pins.userId), isNull(users.removedAt)))
    .where(belongsTo(person));
  return row?.pin;
}

export type PinLockState = { wrongTries: number; lockedUntil: number };

/**
 * Count an attempt with a PIN, and lock it after every `maxWrong` wrong ones: first for `lockMs`, then twice as long
 * each time. Null if the PIN is locked or has since changed. `lockEvent`: the event if it becomes locked.
 */
export async function countPinAttempt(
  db: Db,
  { accountId, userId, hash }: PinRow,
  isCorrect: boolean,
  { maxWrong, lockMs, now }: { maxWrong: number; lockMs: number; now: number },
  lockEvent: NewEvent,
): Promise<PinLockState | null> {
  const isPerson = belongsTo({ accountId, userId });
  const isLast = sql`(wrong_tries + 1) % ${maxWrong} = 0`;
  // At most a year; the shift is limited so that it cannot overflow.
  const lock = sql`${now} + min(${lockMs} << min((wrong_tries + 1) / ${maxWrong} - 1, 20), 31536000000)`;
  const wrong = { wrongTries: sql`wrong_tries + 1`, lockedUntil: sql`iif(${isLast}, ${lock}, locked_until)` };
  const [[updated]] = await db.batch([
    db
      .update(pins)
      .set(isCorrect ? { wrongTries: 0, lockedUntil: 0 } : wrong)
      .where(and(isPerson, eq(pins.hash, hash), lte(pins.lockedUntil, now)))
      .returning({ wrongTries: pins.wrongTries, lockedUntil: pins.lockedUntil }),
    eventWrite(
      db,
      lockEvent,
      sql`changes() = 1 AND EXISTS (SELECT 1 FROM pins WHERE ${isPerson} AND locked_until > ${now})`,
    ),
  ]);
  return updated ?? null;
}

/** Set a person's PIN, which also proves the session. False if they were removed, or if `isFirst` is no longer true. */
export async function savePin(
  db: Db,
  row: PinRow,
  { sessionId, isFirst }: { sessionId: string; isFirst: boolean },
  mail: FactorMail,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId, hash, setAt } = row;
  const [inserted] = await db.batch([
    db
      .insert(pins)
      .select(selectValues(pins, row, mayAddFactor(row, isFirst)))
      .onConflictDoUpdate({
        target: [pins.accountId, pins.userId],
        set: { hash, setAt, wrongTries: 0, lockedUntil: 0 },
      })
      .returning({ userId: pins.userId }),
    eventWrite(db, event),
    queueFactorMail(db, { accountId, userId }, mail, setAt),
    db
      .update(sessions)
      .set({ provedAt: setAt, proof: 'pin' })
      .where(
        and(
          eq(sessions.id, sessionId),
          sql`EXISTS (SELECT 1 FROM pins p WHERE p.account_id = ${accountId} AND p.user_id = ${userId} AND p.hash = ${hash})`,
        ),
      ),
  ]);
  return inserted.length === 1;
}

/** Delete a person's PIN. False if there was none. */
export async function deletePin(db: Db, person: Member, mail: FactorMail, now: number, event: NewEvent) {
  const [deleted] = await db.batch([
    db.delete(pins).where(belongsTo(person)).returning({ userId: pins.userId }),
    eventWrite(db, event),
    queueFactorMail(db, person, mail, now),
  ]);
  return deleted.length === 1;
}

/** The people of a team who have a PIN, by name. */
export const listPinHolders = (db: Db, accountId: number) =>
  db
    .select({ userId: users.userId, name: users.name, email: users.email })
    .from(pins)
    .innerJoin(users, and(eq(users.accountId, pins.accountId), eq(users.userId, pins.userId)))
    .where(and(eq(pins.accountId, accountId), isNull(users.removedAt)))
    .orderBy(asc(users.name), asc(users.email))
    .limit(500);
