import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import { accounts, crmTokens, loginStates, sessions, users } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type SessionRow = typeof sessions.$inferSelect;

export type NewUser = { accountId: number; userId: number; email: string; lastLoginAt: number };

/** Save a user; the first user of an account becomes its administrator. */
export const saveUser = (db: Db, { accountId, userId, email, lastLoginAt }: NewUser) =>
  db
    .insert(users)
    .values({
      accountId,
      userId,
      email,
      lastLoginAt,
      isAdmin: sql`NOT EXISTS (SELECT 1 FROM users WHERE hub_id = ${accountId})`,
    })
    .onConflictDoUpdate({ target: [users.accountId, users.userId], set: { email, lastLoginAt } });

/** Save the user and open a session, in one transaction. */
export async function insertSession(db: Db, user: NewUser, session: typeof sessions.$inferInsert) {
  await db.batch([saveUser(db, user), db.insert(sessions).values(session)]);
}

const isLive = (now: number) => and(isNull(sessions.revokedAt), gt(sessions.endsAt, now));

export const findSession = (db: Db, id: string, now: number) =>
  db.query.sessions.findFirst({ where: and(eq(sessions.id, id), isLive(now)) });

/** The session of a refresh cookie, if it is live and was used within `idleMs`; the idle time starts anew. */
export async function touchSession(db: Db, refreshTokenHash: string, now: number, idleMs: number) {
  const [session] = await db
    .update(sessions)
    .set({ seenAt: now })
    .where(and(eq(sessions.refreshTokenHash, refreshTokenHash), isLive(now), gt(sessions.seenAt, now - idleMs)))
    .returning();
  return session;
}

export async function revokeSession(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt)));
}

/** For User Info: the user, the account's domain and the scopes that it granted. */
export async function findSessionUser(db: Db, { accountId, userId }: { accountId: number; userId: number }) {
  const [row] = await db
    .select({ email: users.email, userId: users.userId, domain: accounts.domain, scopes: crmTokens.scopes })
    .from(users)
    .innerJoin(accounts, eq(accounts.accountId, users.accountId))
    .leftJoin(crmTokens, eq(crmTokens.accountId, users.accountId))
    .where(and(eq(users.accountId, accountId), eq(users.userId, userId)));
  return row;
}

export async function insertLoginState(db: Db, row: typeof loginStates.$inferInsert, now: number): Promise<void> {
  await db.batch([db.delete(loginStates).where(lt(loginStates.endsAt, now)), db.insert(loginStates).values(row)]);
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
