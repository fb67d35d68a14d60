import { and, desc, eq, getTableColumns, gt, isNull, ne, sql } from 'drizzle-orm';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { accounts, crmTokens, handoffCodes, loginStates, sessions, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { type RawSql, rawSql, selectValues } from '../sql.ts';

/** A session with its person's current role. */
export type SessionRow = typeof sessions.$inferSelect & { role: StaffRole };

/** Condition: the user of the session, who has not been removed. */
const isCurrentUser = and(
  eq(users.accountId, sessions.accountId),
  eq(users.userId, sessions.userId),
  isNull(users.removedAt),
);

/** Open a session for a person of the clinic. False if the person no longer exists. */
export async function insertSession(
  db: Db,
  session: typeof sessions.$inferInsert & { createdAt: number },
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId, createdAt } = session;
  const userExists = sql`EXISTS (SELECT 1 FROM users
    WHERE account_id = ${accountId} AND user_id = ${userId} AND removed_at IS NULL)`;
  const [, opened] = await db.batch([
    db
      .update(users)
      .set({ lastLoginAt: createdAt })
      .where(and(eq(users.accountId, accountId), eq(users.userId, userId), isNull(users.removedAt))),
    db
      .insert(sessions)
      .select(selectValues(sessions, session, userExists))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return opened.length === 1;
}

const isLive = (now: number) => and(isNull(sessions.revokedAt), gt(sessions.endsAt, now));

/** The session of a person who has not been removed, with their role, in one statement. */
export async function findSession(db: Db, id: string, now: number): Promise<SessionRow | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(sessions), role: users.role })
    .from(sessions)
    .innerJoin(users, isCurrentUser)
    .where(and(eq(sessions.id, id), isLive(now)));
  return row;
}

/** The session of a refresh cookie, if it is live and was used within `idleMs`; restarts the idle time. */
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

/** The reason why the session of this refresh token has ended; `removed`: its user was removed. Null if unknown. */
export async function readSessionEnd(db: Db, refreshTokenHash: string): Promise<'removed' | 'ended' | null> {
  const [row] = await db
    .select({ removedAt: users.removedAt })
    .from(sessions)
    .innerJoin(users, and(eq(users.accountId, sessions.accountId), eq(users.userId, sessions.userId)))
    .where(eq(sessions.refreshTokenHash, refreshTokenHash));
  if (!row) return null;
  return row.removedAt === null ? 'ended' : 'removed';
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

/** The user with the account's domain and granted scopes, for User Info. */
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
 * Delete a login state and return it, so that a second use finds nothing. If `isOwnOrigin` is false, finds only logins
 * that started at another origin.
 */
export async function redeemLoginState(db: Db, stateHash: string, now: number, isOwnOrigin: boolean) {
  const [row] = await db
    .delete(loginStates)
    .where(and(eq(loginStates.stateHash, stateHash), isOwnOrigin ? undefined : ne(loginStates.origin, '')))
    .returning();
  return row && row.endsAt > now ? row : null;
}

type Person = { accountId: number; userId: number };

/** Condition: a session of the person that has neither ended nor been idle for longer than `idleMs`. */
const isLiveSessionOf = ({ accountId, userId }: Person, now: number, idleMs: number) =>
  and(
    eq(sessions.accountId, accountId),
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
    gt(sessions.endsAt, now),
    gt(sessions.seenAt, now - idleMs),
  );

/** A person's live sessions, newest first; 100 at most. */
export const listOwnSessions = (db: Db, person: Person, now: number, idleMs: number) =>
  db
    .select()
    .from(sessions)
    .where(isLiveSessionOf(person, now, idleMs))
    .orderBy(desc(sessions.createdAt))
    .limit(100);

/** End all of a person's sessions, or only the one with this id. Returns the number of ended sessions. */
export async function endOwnSessions(
  db: Db,
  { accountId, userId }: Person,
  id: string | null,
  now: number,
  event: NewEvent,
): Promise<number> {
  const isOpenOfPerson = and(
    eq(sessions.accountId, accountId),
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
  );
  const [ended] = await db.batch([
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(isOpenOfPerson, gt(sessions.endsAt, now), id === null ? undefined : eq(sessions.id, id)))
      .returning({ id: sessions.id }),
    eventWrite(db, event),
  ]);
  return ended.length;
}

export async function insertHandoffCode(db: Db, row: typeof handoffCodes.$inferInsert): Promise<void> {
  await db.insert(handoffCodes).values(row);
}

/**
 * Redeem a handoff code with the state of its login. Null if it was used, has expired, or belongs to another browser.
 */
export async function redeemHandoffCode(db: Db, codeHash: string, stateHash: string, now: number) {
  const [row] = await db
    .delete(handoffCodes)
    .where(and(eq(handoffCodes.codeHash, codeHash), eq(handoffCodes.stateHash, stateHash)))
    .returning();
  return row && row.endsAt > now ? row : null;
}

/** The claims of a signed access token, which do not prove that the session is still live. */
export type SessionClaim = { sessionId: string; accountId: number };

/**
 * SQL: 1 if the session is live and its user was not removed, for a read that checks its session in the same round
 * trip. Every role may read.
 */
export const isSessionLive = ({ sessionId, accountId }: SessionClaim, now: number): RawSql =>
  rawSql`EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.account_id = s.account_id AND u.user_id = s.user_id
    WHERE s.id = ${sessionId} AND s.account_id = ${accountId} AND s.revoked_at IS NULL AND s.ends_at > ${now}
      AND u.removed_at IS NULL)`;
