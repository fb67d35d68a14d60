import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { eventWrite, type NewEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { contentRateLimits, contentSessions, contentUsers } from '#worker/data/schema/content-accounts';

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

/** The session of a refresh cookie, if it is live and was used within `idleMs`; restarts the idle time. */
export async function touchContentSession(db: Db, refreshTokenHash: string, now: number, idleMs: number) {
  const hasToken = eq(contentSessions.refreshTokenHash, refreshTokenHash);
  const [[session], [user]] = await db.batch([
    db
      .update(contentSessions)
      .set({ seenAt: now })
      .where(and(hasToken, isLive(now), gt(contentSessions.seenAt, now - idleMs)))
      .returning({ id: contentSessions.id, secondAt: contentSessions.secondAt }),
    db
      .select()
      .from(contentUsers)
      .where(eq(contentUsers.id, sql`(SELECT user_id FROM content_sessions WHERE ${hasToken})`)),
  ]);
  return session && user ? { sessionId: session.id, secondAt: session.secondAt, user } : undefined;
}

/**
 * Statements for a batch that opens a session if the account still has the password that was compared or set. The first
 * returns a row if the session was opened. Password hashes wait in a queue, and in the meantime a reset may have ended
 * all sessions, or the account may have been deleted.
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

/** A rate limit: `limit` attempts without a wait; each further attempt must wait longer than the one before. */
export type RateLimit = { key: string; limit: number };

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/** `?1`: keys and limits as JSON, `?2`: now, `?3`: the time (ms) for which attempts count. All keys count, or none. */
const COUNT_ATTEMPT = `INSERT INTO content_throttles (key, tries, open_at, ends_at)
SELECT json_extract(value, '$.key'), 1, iif(json_extract(value, '$.limit') <= 1, ?2 + ${FIRST_WAIT_MS}, 0), ?2 + ?3
FROM json_each(?1)
WHERE NOT EXISTS (
  SELECT 1 FROM content_throttles t JOIN json_each(?1) k ON t.key = json_extract(k.value, '$.key') WHERE t.open_at > ?2)
ON CONFLICT (key) DO UPDATE SET
  tries = iif(ends_at <= ?2, 1, tries + 1),
  open_at = (SELECT iif(iif(ends_at <= ?2, 1, tries + 1) < json_extract(k.value, '$.limit'), 0,
    ?2 + min(${FIRST_WAIT_MS} << min(max(tries + 1 - json_extract(k.value, '$.limit'), 0), 10), ${LONGEST_WAIT_MS}))
    FROM json_each(?1) k WHERE json_extract(k.value, '$.key') = content_throttles.key),
  ends_at = ?2 + ?3 + ${LONGEST_WAIT_MS}
RETURNING key`;

/** Count an attempt against each key before it is made. False if a key must still wait; then nothing is counted. */
export async function countAttempt(
  { $client }: Db,
  limits: RateLimit[],
  windowMs: number,
  now: number,
): Promise<boolean> {
  const { results } = await $client.prepare(COUNT_ATTEMPT).bind(JSON.stringify(limits), now, windowMs).all();
  return results.length === limits.length;
}

/** Milliseconds until all of these keys allow an attempt; 0 if they do now. */
export const retryDelayMs = ({ $client }: Db, limits: RateLimit[], now: number) =>
  $client
    .prepare(
      `SELECT max(0, coalesce(max(t.open_at), 0) - ?2) AS wait FROM content_throttles t
JOIN json_each(?1) k ON t.key = json_extract(k.value, '$.key')`,
    )
    .bind(JSON.stringify(limits), now)
    .first<number>('wait');

/** Statements that undo the count of a successful attempt: delete its own key, and subtract 1 from the shared key. */
export const undoAttempt = (db: Db, ownKey: string, sharedLimit: RateLimit | null) =>
  [
    db.delete(contentRateLimits).where(eq(contentRateLimits.key, ownKey)),
    ...(sharedLimit
      ? [
          db
            .update(contentRateLimits)
            .set({
              tries: sql`max(${contentRateLimits.tries} - 1, 0)`,
              openAt: sql`iif(${contentRateLimits.tries} - 1 < ${sharedLimit.limit}, 0, ${contentRateLimits.openAt})`,
            })
            .where(eq(contentRateLimits.key, sharedLimit.key)),
        ]
      : []),
  ] as const;
