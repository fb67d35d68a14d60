import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { eventWrite, type NewEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { contentSessions, contentUsers } from '#worker/data/schema/content-accounts';

export type NewContentSession = Omit<typeof contentSessions.$inferInsert, 'userId'> & {
  user: Pick<typeof contentUsers.$inferSelect, 'id' | 'password'>;
};

const isLive = (now: number) => and(isNull(contentSessions.revokedAt), gt(contentSessions.endsAt, now));

export async function findContentSession(db: Db, id: string, now: number) {
  const [row] = await db
    .select({ sessionId: contentSessions.id, secondAt: contentSessions.secondAt, user: contentUsers })
    .from(contentSessions)
    .innerJoin(contentUsers, eq(contentUsers.id, contentSessions.userId))
    .where(and(eq(contentSessions.id, id), isLive(now)));
  return row;
}

/** The session of a refresh cookie, if it is live and was used within `idleMs`; the idle time starts anew. */
export async function touchContentSession(db: Db, refreshTokenHash: string, now: number, idleMs: number) {
  const isIts = eq(contentSessions.refreshTokenHash, refreshTokenHash);
  const [[session], [user]] = await db.batch([
    db
      .update(contentSessions)
      .set({ seenAt: now })
      .where(and(isIts, isLive(now), gt(contentSessions.seenAt, now - idleMs)))
      .returning({ id: contentSessions.id, secondAt: contentSessions.secondAt }),
    db
      .select()
      .from(contentUsers)
      .where(eq(contentUsers.id, sql`(SELECT user_id FROM content_sessions WHERE ${isIts})`)),
  ]);
  return session && user ? { sessionId: session.id, secondAt: session.secondAt, user } : undefined;
}

/**
 * Statements for a batch: open a session only while the account has the password that was compared or set; the first
 * answers its row if it was opened. Hashes wait in a queue: meanwhile a reset may have ended every session, or the
 * account may be gone.
 */
export const insertContentSession = (db: Db, row: NewContentSession, event: NewEvent) =>
  [insertSession(db, row), eventWrite(db, event)] as const;

const insertSession = (
  db: Db,
  { id, refreshTokenHash, createdAt, seenAt, endsAt, secondAt, user }: NewContentSession,
) =>
  db
    .insert(contentSessions)
    .select(
      sql`SELECT ${id}, id, ${refreshTokenHash}, ${createdAt}, ${seenAt}, ${endsAt}, NULL, ${secondAt ?? null} FROM content_users
WHERE id = ${user.id} AND password = ${user.password}`,
    )
    .returning({ id: contentSessions.id });

export async function revokeContentSession(db: Db, id: string, now: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(contentSessions)
      .set({ revokedAt: now })
      .where(and(eq(contentSessions.id, id), isNull(contentSessions.revokedAt))),
    eventWrite(db, event),
  ]);
}
