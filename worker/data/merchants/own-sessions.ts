import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { sessions } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

type Person = { accountId: number; userId: number };

/** Sessions of a person that still open something: neither over nor idle for longer than a refresh allows. */
const live = ({ accountId, userId }: Person, now: number, idleMs: number) =>
  and(
    eq(sessions.accountId, accountId),
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
    gt(sessions.endsAt, now),
    gt(sessions.seenAt, now - idleMs),
  );

/** The newest first, 100 at most. */
export const listOwnSessions = (db: Db, person: Person, now: number, idleMs: number) =>
  db
    .select()
    .from(sessions)
    .where(live(person, now, idleMs))
    .orderBy(desc(sessions.createdAt))
    .limit(100);

/** End a person's sessions, or the one of this id; answers how many. */
export async function endOwnSessions(
  db: Db,
  { accountId, userId }: Person,
  id: string | null,
  now: number,
  event: NewEvent,
): Promise<number> {
  const own = and(eq(sessions.accountId, accountId), eq(sessions.userId, userId), isNull(sessions.revokedAt));
  const [ended] = await db.batch([
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(own, gt(sessions.endsAt, now), id === null ? undefined : eq(sessions.id, id)))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return ended.length;
}
