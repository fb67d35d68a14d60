import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '#worker/data/db';
import { contentInvitations, contentResets, contentSessions, contentUsers } from '#worker/data/schema/schema';

export type NewContentSession = Omit<typeof contentSessions.$inferInsert, 'userId'> & {
  user: Pick<typeof contentUsers.$inferSelect, 'id' | 'password'>;
};

const isLive = (now: number) => and(isNull(contentSessions.revokedAt), gt(contentSessions.endsAt, now));

export async function findContentSession(db: Db, id: string, now: number) {
  const [row] = await db
    .select({ sessionId: contentSessions.id, user: contentUsers })
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
      .returning({ id: contentSessions.id }),
    db
      .select()
      .from(contentUsers)
      .where(eq(contentUsers.id, sql`(SELECT user_id FROM content_sessions WHERE ${isIts})`)),
  ]);
  return session && user ? { sessionId: session.id, user } : undefined;
}

/**
 * Open a session only while the account has the password that was compared or set; answers its row if it was opened.
 * Hashes wait in a queue: meanwhile a reset may have ended every session, or the account may be gone.
 */
export const insertContentSession = (
  db: Db,
  { id, refreshTokenHash, createdAt, seenAt, endsAt, user }: NewContentSession,
) =>
  db
    .insert(contentSessions)
    .select(
      sql`SELECT ${id}, id, ${refreshTokenHash}, ${createdAt}, ${seenAt}, ${endsAt}, NULL FROM content_users
WHERE id = ${user.id} AND password = ${user.password}`,
    )
    .returning({ id: contentSessions.id });

export const revokeContentSession = (db: Db, id: string, now: number) =>
  db
    .update(contentSessions)
    .set({ revokedAt: now })
    .where(and(eq(contentSessions.id, id), isNull(contentSessions.revokedAt)));

/** Delete ended sessions, resets and invitations, and registrations that no owner approved within `pendingMs`. */
export async function dropOldAccounts(db: Db, now: number, pendingMs: number): Promise<void> {
  await db.batch([
    db.delete(contentSessions).where(lt(contentSessions.endsAt, now)),
    db.delete(contentResets).where(lt(contentResets.endsAt, now)),
    db.delete(contentInvitations).where(lt(contentInvitations.endsAt, now)),
    db.delete(contentUsers).where(and(ne(contentUsers.status, 'active'), lt(contentUsers.createdAt, now - pendingMs))),
  ]);
}
