import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { contentResets, contentSessions, contentUsers } from '../schema.ts';

export type NewContentSession = typeof contentSessions.$inferInsert;

const isLive = (now: number) => and(isNull(contentSessions.revokedAt), gt(contentSessions.endsAt, now));

export async function findContentSession(db: Db, id: string, now: number) {
  const [row] = await db
    .select({ sessionId: contentSessions.id, user: contentUsers })
    .from(contentSessions)
    .innerJoin(contentUsers, eq(contentUsers.id, contentSessions.userId))
    .where(and(eq(contentSessions.id, id), isLive(now)));
  return row;
}

/** The session of a companion cookie, if it is live and was used within the idle time; using it moves that time. */
export async function touchContentSession(db: Db, companionHash: string, now: number, idleMs: number) {
  const isIts = eq(contentSessions.companionHash, companionHash);
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

export const insertContentSession = (db: Db, session: NewContentSession) => db.insert(contentSessions).values(session);

export const revokeContentSession = (db: Db, id: string, now: number) =>
  db
    .update(contentSessions)
    .set({ revokedAt: now })
    .where(and(eq(contentSessions.id, id), isNull(contentSessions.revokedAt)));

export const revokeSessionsOf = (db: Db, userId: string, now: number) =>
  db
    .update(contentSessions)
    .set({ revokedAt: now })
    .where(and(eq(contentSessions.userId, userId), isNull(contentSessions.revokedAt)));

/** What is over: sessions and invitations that ended, and registrations that nobody approved. */
export async function dropOldAccounts(db: Db, now: number, pendingMs: number): Promise<void> {
  await db.batch([
    db.delete(contentSessions).where(lt(contentSessions.endsAt, now)),
    db.delete(contentResets).where(lt(contentResets.endsAt, now)),
    db.delete(contentUsers).where(and(ne(contentUsers.status, 'active'), lt(contentUsers.createdAt, now - pendingMs))),
  ]);
}
