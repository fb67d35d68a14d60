import { findSession, insertSession, revokeSession, touchSession } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';

/** Scripts may read the short-lived `accessToken`; they may not read `refreshToken`, which renews it. */
export type OpenSession = { accessToken: string; refreshToken: string; endsAt: number };

export type Merchant = { sessionId: string; accountId: number; userId: number };

export async function openSession(
  deps: Deps,
  user: { accountId: number; userId: number; email: string },
): Promise<OpenSession> {
  const now = deps.now();
  const refreshToken = deps.newCapability();
  const session = {
    id: deps.newId(),
    accountId: user.accountId,
    userId: user.userId,
    refreshTokenHash: await deps.sha256(refreshToken),
    createdAt: now,
    seenAt: now,
    endsAt: now + deps.settings.SESSION_MS,
  };
  await insertSession(deps.db, { ...user, lastLoginAt: now }, session);
  const { id: sessionId, accountId, userId, endsAt } = session;
  return { accessToken: await deps.accessTokens.issue({ sessionId, accountId, userId }, now), refreshToken, endsAt };
}

/** The merchant who sends this access token. Null: it is unknown, expired or revoked, which look the same. */
export async function merchantOf(deps: Deps, accessToken: string): Promise<Merchant | null> {
  const claims = await deps.accessTokens.read(accessToken, deps.now());
  if (!claims) return null;
  const session = await findSession(deps.db, claims.sessionId, deps.now());
  return session ? { sessionId: session.id, accountId: session.accountId, userId: session.userId } : null;
}

/**
 * The same for a request that changes something: it must carry the session's refresh token too, which a script that got
 * hold of the access token cannot read.
 */
export async function merchantWith(
  deps: Deps,
  accessToken: string,
  refreshToken: string | undefined,
): Promise<Merchant | null> {
  const claims = await deps.accessTokens.read(accessToken, deps.now());
  if (!claims || !refreshToken) return null;
  const session = await findSession(deps.db, claims.sessionId, deps.now());
  if (session?.refreshTokenHash !== (await deps.sha256(refreshToken))) return null;
  return { sessionId: session.id, accountId: session.accountId, userId: session.userId };
}

/** End the session that a login replaces, by the refresh token that this browser had before it. */
export async function endReplacedSession(deps: Deps, refreshToken: string | undefined): Promise<void> {
  const replaced = refreshToken ? await renewSession(deps, refreshToken) : null;
  if (replaced) await endSession(deps, replaced.merchant);
}

/** A new access token for a browser that still holds its refresh token; the end of the session does not move. */
export async function renewSession(
  deps: Deps,
  refreshToken: string,
): Promise<{ accessToken: string; merchant: Merchant } | null> {
  const { db, now, settings } = deps;
  const session = await touchSession(db, await deps.sha256(refreshToken), now(), settings.SESSION_IDLE_MS);
  if (!session) return null;
  const merchant = { sessionId: session.id, accountId: session.accountId, userId: session.userId };
  return { accessToken: await deps.accessTokens.issue(merchant, now()), merchant };
}

export const endSession = (deps: Deps, { sessionId }: Merchant): Promise<void> =>
  revokeSession(deps.db, sessionId, deps.now());
