import { findSession, insertSession, revokeSession, touchSession } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';

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
  const who = { sessionId: session.id, accountId: user.accountId, userId: user.userId };
  const event = sessionEvent(deps, 'session.opened', who);
  await insertSession(deps.db, { ...user, lastLoginAt: now }, session, event);
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

export const endSession = (deps: Deps, merchant: Merchant): Promise<void> =>
  revokeSession(deps.db, merchant.sessionId, deps.now(), sessionEvent(deps, 'session.ended', merchant));

/** The event of a login or logout: the person acts, who is known only by it. */
const sessionEvent = (
  { actor, newId, now }: Acting,
  action: 'session.opened' | 'session.ended',
  { sessionId, accountId, userId }: Merchant,
) =>
  auditEvent(
    { actor: { ...actor, kind: 'user', id: String(userId), sessionId }, newId, now },
    { accountId, action, subject: ['session', sessionId] },
  );
