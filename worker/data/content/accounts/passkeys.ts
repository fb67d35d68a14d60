import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { eventWrite, type NewEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import {
  type ContentPasskeyRow,
  contentPasskeys,
  contentRecoveryCodes,
  contentSessions,
} from '#worker/data/schema/content-accounts';
import { endResets } from './invitations.ts';

export const listContentPasskeys = (db: Db, userId: string): Promise<ContentPasskeyRow[]> =>
  db.select().from(contentPasskeys).where(eq(contentPasskeys.userId, userId)).orderBy(asc(contentPasskeys.createdAt));

/** The number of unused recovery codes of an account. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const isUnused = and(eq(contentRecoveryCodes.userId, userId), isNull(contentRecoveryCodes.usedAt));
  return db.$count(contentRecoveryCodes, isUnused);
}

const codeWrites = (db: Db, userId: string, hashes: string[], now: number) =>
  [
    db.delete(contentRecoveryCodes).where(eq(contentRecoveryCodes.userId, userId)),
    db.insert(contentRecoveryCodes).select(
      sql`SELECT value, ${userId}, ${now}, NULL FROM json_each(${JSON.stringify(hashes)})
        WHERE EXISTS (SELECT 1 FROM content_users WHERE id = ${userId})`,
    ),
  ] as const;

/**
 * Store a passkey of an account, with new recovery codes if it is the first, and mark its session as proven. False if
 * the account's number of passkeys is no longer `expectedCount`, or if this passkey is already stored.
 */
export async function insertContentPasskey(
  db: Db,
  row: ContentPasskeyRow,
  { expectedCount, codeHashes, sessionId }: { expectedCount: number; codeHashes: string[]; sessionId: string },
  event: NewEvent,
): Promise<boolean> {
  const { userId, createdAt } = row;
  const isExpectedCount = sql`(SELECT count(*) FROM content_passkeys WHERE user_id = ${userId}) = ${expectedCount}`;
  const [inserted] = await db.batch([
    db
      .insert(contentPasskeys)
      .select(
        sql`SELECT ${row.id}, id, ${row.publicKey}, ${row.counter}, ${row.transports}, ${row.label}, ${createdAt}, NULL
        FROM content_users WHERE id = ${userId} AND ${isExpectedCount}`,
      )
      .onConflictDoNothing()
      .returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    endResets(db, userId, createdAt),
    db
      .update(contentSessions)
      .set({ secondAt: createdAt })
      .where(and(eq(contentSessions.id, sessionId), sql`EXISTS (SELECT 1 FROM content_passkeys WHERE id = ${row.id})`)),
    ...(codeHashes.length > 0 ? codeWrites(db, userId, codeHashes, createdAt) : []),
  ]);
  return inserted.length > 0;
}

/** Save the signature count of a passkey. False if its count is no longer `oldCount`, which may be due to a clone. */
export async function countPasskeyUse(
  db: Db,
  { id, oldCount, newCount }: { id: string; oldCount: number; newCount: number },
  now: number,
): Promise<boolean> {
  const updated = await db
    .update(contentPasskeys)
    .set({ counter: newCount, usedAt: now })
    .where(and(eq(contentPasskeys.id, id), eq(contentPasskeys.counter, oldCount)))
    .returning({ id: contentPasskeys.id });
  return updated.length > 0;
}

/** Redeem a recovery code. False if it is not this account's, or was used. */
export async function redeemRecoveryCode(
  db: Db,
  { userId, codeHash }: { userId: string; codeHash: string },
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [redeemed] = await db.batch([
    db
      .update(contentRecoveryCodes)
      .set({ usedAt: now })
      .where(
        and(
          eq(contentRecoveryCodes.codeHash, codeHash),
          eq(contentRecoveryCodes.userId, userId),
          isNull(contentRecoveryCodes.usedAt),
        ),
      )
      .returning({ codeHash: contentRecoveryCodes.codeHash }),
    eventWrite(db, event),
  ]);
  return redeemed.length > 0;
}

/** Replace an account's recovery codes, and end its open resets. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: string[], now: number, event: NewEvent) {
  await db.batch([...codeWrites(db, userId, hashes, now), eventWrite(db, event), endResets(db, userId, now)]);
}

/** Remove one passkey. False if there is none with that id or, with `mustKeepOne`, if it is the last. */
export async function deleteContentPasskey(
  db: Db,
  { userId, id }: { userId: string; id: string },
  mustKeepOne: boolean,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const isAllowed = sql`(${mustKeepOne ? 0 : 1} OR EXISTS (SELECT 1 FROM content_passkeys o
    WHERE o.user_id = ${userId} AND o.id <> ${id}))`;
  const [deleted] = await db.batch([
    db
      .delete(contentPasskeys)
      .where(and(eq(contentPasskeys.id, id), eq(contentPasskeys.userId, userId), isAllowed))
      .returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    endResets(db, userId, now),
    db
      .delete(contentRecoveryCodes)
      .where(
        and(
          eq(contentRecoveryCodes.userId, userId),
          sql`NOT EXISTS (SELECT 1 FROM content_passkeys WHERE user_id = ${userId})`,
        ),
      ),
  ]);
  return deleted.length > 0;
}

/** Delete all passkeys and recovery codes of an account and end its sessions. False if it had no passkey. */
export async function deleteSecondFactors(db: Db, userId: string, now: number, event: NewEvent): Promise<boolean> {
  const [deleted] = await db.batch([
    db.delete(contentPasskeys).where(eq(contentPasskeys.userId, userId)).returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    endResets(db, userId, now),
    db.delete(contentRecoveryCodes).where(eq(contentRecoveryCodes.userId, userId)),
    db
      .update(contentSessions)
      .set({ revokedAt: now })
      .where(and(eq(contentSessions.userId, userId), isNull(contentSessions.revokedAt))),
  ]);
  return deleted.length > 0;
}
