import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { pins } from '#worker/data/schema/proofs';
import { sessions, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';
import { type FactorMail, mayHave, oweFactorMail } from './passkeys.ts';
import type { Member } from './team.ts';

/** PINs of a clinic's staff. */

export type PinRow = typeof pins.$inferSelect;

const own = ({ accountId, userId }: Member) => and(eq(pins.accountId, accountId), eq(pins.userId, userId));

/** The PIN of a person who may still come in. */
export async function findPin(db: Db, person: Member): Promise<PinRow | undefined> {
  const [row] = await db
    .select({ pin: pins })
    .from(pins)
    .innerJoin(users, and(eq(users.accountId, pins.accountId), eq(users.userId, pins.userId), isNull(users.removedAt)))
    .where(own(person));
  return row?.pin;
}

export type PinTry = { wrongTries: number; lockedUntil: number };

/**
 * Count a try with a PIN and lock it after each `mostWrong` wrong ones: for `lockMs` at first, then each time for twice
 * as long. Null: it is locked, or was changed meanwhile. `locked`: the event of the lock.
 */
export async function countPinTry(
  db: Db,
  { accountId, userId, hash }: PinRow,
  isRight: boolean,
  { mostWrong, lockMs, now }: { mostWrong: number; lockMs: number; now: number },
  locked: NewEvent,
): Promise<PinTry | null> {
  const person = own({ accountId, userId });
  const isLast = sql`(wrong_tries + 1) % ${mostWrong} = 0`;
  // A year at most, so that the shift stays within what a number holds.
  const lock = sql`${now} + min(${lockMs} << min((wrong_tries + 1) / ${mostWrong} - 1, 20), 31536000000)`;
  const wrong = { wrongTries: sql`wrong_tries + 1`, lockedUntil: sql`iif(${isLast}, ${lock}, locked_until)` };
  const [[tried]] = await db.batch([
    db
      .update(pins)
      .set(isRight ? { wrongTries: 0, lockedUntil: 0 } : wrong)
      .where(and(person, eq(pins.hash, hash), lte(pins.lockedUntil, now)))
      .returning({ wrongTries: pins.wrongTries, lockedUntil: pins.lockedUntil }),
    eventWrite(
      db,
      locked,
      sql`changes() = 1 AND EXISTS (SELECT 1 FROM pins WHERE ${person} AND locked_until > ${now})`,
    ),
  ]);
  return tried ?? null;
}

/** Set a person's PIN, which proves the session too. False: they were removed, or `isFirst` does not hold any more. */
export async function savePin(
  db: Db,
  row: PinRow,
  { sessionId, isFirst }: { sessionId: string; isFirst: boolean },
  mail: FactorMail,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId, hash, setAt } = row;
  const [kept] = await db.batch([
    db
      .insert(pins)
      .select(selectValues(pins, row, mayHave(row, isFirst)))
      .onConflictDoUpdate({
        target: [pins.accountId, pins.userId],
        set: { hash, setAt, wrongTries: 0, lockedUntil: 0 },
      })
      .returning({ userId: pins.userId }),
    eventWrite(db, event),
    oweFactorMail(db, { accountId, userId }, mail, setAt),
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
  return kept.length === 1;
}

/** False: the person had none. */
export async function deletePin(db: Db, person: Member, mail: FactorMail, now: number, event: NewEvent) {
  const [gone] = await db.batch([
    db.delete(pins).where(own(person)).returning({ userId: pins.userId }),
    eventWrite(db, event),
    oweFactorMail(db, person, mail, now),
  ]);
  return gone.length === 1;
}

/** Who of a team has a PIN, by name. */
export const listPinHolders = (db: Db, accountId: number) =>
  db
    .select({ userId: users.userId, name: users.name, email: users.email })
    .from(pins)
    .innerJoin(users, and(eq(users.accountId, pins.accountId), eq(users.userId, pins.userId)))
    .where(and(eq(pins.accountId, accountId), isNull(users.removedAt)))
    .orderBy(asc(users.name), asc(users.email))
    .limit(500);
