import { and, eq, getTableColumns, gt, isNull, ne, sql } from 'drizzle-orm';
import type { StaffRole } from '#shared/contracts/team-values';
import { accounts, crmTokens, loginStates, sessions, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';

/** A session with what its person may do now. */
export type SessionRow = typeof sessions.$inferSelect & { role: StaffRole };

/** The person of a session, unless that was removed. */
const present = and(
  eq(users.accountId, sessions.accountId),
  eq(users.userId, sessions.userId),
  isNull(users.removedAt),
);

/** Open a session of a person of the clinic. False: there is no such person any more. */
export async function insertSession(
  db: Db,
  session: typeof sessions.$inferInsert & { createdAt: number },
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId, createdAt } = session;
  const isPresent = sql`EXISTS (SELECT 1 FROM users
    WHERE account_id = ${accountId} AND user_id = ${userId} AND removed_at IS NULL)`;
  const [, opened] = await db.batch([
    db
      .update(users)
      .set({ lastLoginAt: createdAt })
      .where(and(eq(users.accountId, accountId), eq(users.userId, userId), isNull(users.removedAt))),
    db
      .insert(sessions)
      .select(selectValues(sessions, session, isPresent))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return opened.length === 1;
}

const isLive = (now: number) => and(isNull(sessions.revokedAt), gt(sessions.endsAt, now));

/** A session of a person who may still come in, with their role, in one statement. */
export async function findSession(db: Db, id: string, now: number): Promise<SessionRow | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(sessions), role: users.role })
    .from(sessions)
    .innerJoin(users, present)
    .where(and(eq(sessions.id, id), isLive(now)));
  return row;
}

/** The session of a refresh cookie, if it is live and was used within `idleMs`; the idle time starts anew. */
export async function touchSession(
  db: Db,
  refreshTokenHash: string,
  now: number,
  idleMs: number,
): Promise<SessionRow | undefined> {
  const role = sql<StaffRole | null>`(SELECT role FROM users u
    WHERE u.account_id = sessions.account_id AND u.user_id = sessions.user_id AND u.removed_at IS NULL)`;
  const [session] = await db
    .update(sessions)
    .set({ seenAt: now })
    .where(
      and(
        eq(sessions.refreshTokenHash, refreshTokenHash),
        isLive(now),
        gt(sessions.seenAt, now - idleMs),
        sql`${role} IS NOT NULL`,
      ),
    )
    .returning({ ...getTableColumns(sessions), role });
  return session?.role ? { ...session, role: session.role } : undefined;
}

export async function revokeSession(db: Db, id: string, now: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.id, id), isNull(sessions.revokedAt))),
    eventWrite(db, event),
  ]);
}

/** For User Info: the user, the account's domain and the scopes that it granted. */
export async function findSessionUser(db: Db, { accountId, userId }: { accountId: number; userId: number }) {
  const [row] = await db
    .select({
      email: users.email,
      userId: users.userId,
      crmUserId: users.crmUserId,
      domain: accounts.domain,
      scopes: crmTokens.scopes,
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.accountId, users.accountId))
    .leftJoin(crmTokens, eq(crmTokens.accountId, users.accountId))
    .where(and(eq(users.accountId, accountId), eq(users.userId, userId)));
  return row;
}

export async function insertLoginState(db: Db, row: typeof loginStates.$inferInsert): Promise<void> {
  await db.insert(loginStates).values(row);
}

/**
 * Use up a login state; a second use finds nothing. With `isOwn` false, only a login that began at another origin is
 * found.
 */
export async function takeLoginState(db: Db, stateHash: string, now: number, isOwn: boolean) {
  const [row] = await db
    .delete(loginStates)
    .where(and(eq(loginStates.stateHash, stateHash), isOwn ? undefined : ne(loginStates.origin, '')))
    .returning();
  return row && row.endsAt > now ? row : null;
}
