import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { eventWrite, type NewEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import {
  type ContentPasskeyRow,
  contentPasskeys,
  contentRecoveryCodes,
  contentSessions,
} from '#worker/data/schema/content-accounts';

export const listContentPasskeys = (db: Db, userId: string): Promise<ContentPasskeyRow[]> =>
  db.select().from(contentPasskeys).where(eq(contentPasskeys.userId, userId)).orderBy(asc(contentPasskeys.createdAt));

/** Codes of an account that still work. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const open = and(eq(contentRecoveryCodes.userId, userId), isNull(contentRecoveryCodes.usedAt));
  return db.$count(contentRecoveryCodes, open);
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
 * Keep a passkey of an account, with new recovery codes where it is its first; the session that made it has shown it.
 * False: the account has one meanwhile that the maker did not know of, or this passkey is kept already.
 */
export async function insertContentPasskey(
  db: Db,
  row: ContentPasskeyRow,
  { known, codeHashes, sessionId }: { known: number; codeHashes: string[]; sessionId: string },
  event: NewEvent,
): Promise<boolean> {
  const { userId, createdAt } = row;
  const isAsKnown = sql`(SELECT count(*) FROM content_passkeys WHERE user_id = ${userId}) = ${known}`;
  const [made] = await db.batch([
    db
      .insert(contentPasskeys)
      .select(
        sql`SELECT ${row.id}, id, ${row.publicKey}, ${row.counter}, ${row.transports}, ${row.label}, ${createdAt}, NULL
        FROM content_users WHERE id = ${userId} AND ${isAsKnown}`,
      )
      .onConflictDoNothing()
      .returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    db
      .update(contentSessions)
      .set({ secondAt: createdAt })
      .where(and(eq(contentSessions.id, sessionId), sql`EXISTS (SELECT 1 FROM content_passkeys WHERE id = ${row.id})`)),
    ...(codeHashes.length > 0 ? codeWrites(db, userId, codeHashes, createdAt) : []),
  ]);
  return made.length > 0;
}

/** Count a signature of a passkey. False: it was counted already, as by a copy of it. */
export async function countShown(
  db: Db,
  { id, before, after }: { id: string; before: number; after: number },
  now: number,
): Promise<boolean> {
  const counted = await db
    .update(contentPasskeys)
    .set({ counter: after, usedAt: now })
    .where(and(eq(contentPasskeys.id, id), eq(contentPasskeys.counter, before)))
    .returning({ id: contentPasskeys.id });
  return counted.length > 0;
}

/** Use a recovery code up. False: it is none of this account, or was used. */
export async function takeRecoveryCode(
  db: Db,
  { userId, codeHash }: { userId: string; codeHash: string },
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [taken] = await db.batch([
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
  return taken.length > 0;
}

/** Put new recovery codes in the place of those that an account has. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: string[], now: number, event: NewEvent) {
  await db.batch([...codeWrites(db, userId, hashes, now), eventWrite(db, event)]);
}

/** Remove one passkey. False: there is none of that id; or, with `keepsOne`, it is the last. */
export async function deleteContentPasskey(
  db: Db,
  { userId, id }: { userId: string; id: string },
  keepsOne: boolean,
  event: NewEvent,
): Promise<boolean> {
  const another = sql`(${keepsOne ? 0 : 1} OR EXISTS (SELECT 1 FROM content_passkeys o
    WHERE o.user_id = ${userId} AND o.id <> ${id}))`;
  const [gone] = await db.batch([
    db
      .delete(contentPasskeys)
      .where(and(eq(contentPasskeys.id, id), eq(contentPasskeys.userId, userId), another))
      .returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    db
      .delete(contentRecoveryCodes)
      .where(
        and(
          eq(contentRecoveryCodes.userId, userId),
          sql`NOT EXISTS (SELECT 1 FROM content_passkeys WHERE user_id = ${userId})`,
        ),
      ),
  ]);
  return gone.length > 0;
}

/** Take away all passkeys and recovery codes of an account and end its sessions. False: it had no passkey. */
export async function deleteSecondFactors(db: Db, userId: string, now: number, event: NewEvent): Promise<boolean> {
  const [gone] = await db.batch([
    db.delete(contentPasskeys).where(eq(contentPasskeys.userId, userId)).returning({ id: contentPasskeys.id }),
    eventWrite(db, event),
    db.delete(contentRecoveryCodes).where(eq(contentRecoveryCodes.userId, userId)),
    db
      .update(contentSessions)
      .set({ revokedAt: now })
      .where(and(eq(contentSessions.userId, userId), isNull(contentSessions.revokedAt))),
  ]);
  return gone.length > 0;
}
