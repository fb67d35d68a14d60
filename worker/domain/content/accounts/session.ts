import type { NewEvent } from '#worker/data/audit/events';
import type { ContentUserRow } from '#worker/data/content/accounts/accounts';
import {
  findContentSession,
  type NewContentSession,
  revokeContentSession,
  touchContentSession,
} from '#worker/data/content/accounts/sessions-and-rate-limits';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';

/** A user of the content area in one browser's session. `secondAt`: when a second factor was used (UTC ms). */
export type Member = { sessionId: string; secondAt: number | null; user: ContentUserRow };

/** Scripts can read `token`, but not `refreshToken`, which renews it. */
export type ContentSession = { token: string; refreshToken: string; user: ContentUserRow };

/** Creates a session, with the row and event for the batch that stores it. */
export async function newContentSession(
  deps: Deps,
  user: ContentUserRow,
): Promise<{ session: ContentSession; row: NewContentSession; event: NewEvent }> {
  const now = deps.now();
  const refreshToken = deps.newSecret();
  const id = deps.newId();
  const row = {
    id,
    user,
    refreshTokenHash: await deps.sha256(refreshToken),
    createdAt: now,
    seenAt: now,
    endsAt: now + deps.settings.CONTENT_SESSION_MS,
  };
  const token = await deps.signed.content.issue({ id, subject: user.id }, now);
  const event = sessionEvent(deps, 'session.opened', { sessionId: id, user });
  return { session: { token, refreshToken, user }, row, event };
}

/** The event of a login or logout, with the session's member as its actor. */
const sessionEvent = (
  { actor, newId, now }: AuditDeps,
  action: 'session.opened' | 'session.ended',
  member: Omit<Member, 'secondAt'>,
) =>
  auditEvent(
    { actor: { ...actor, kind: 'content', id: member.user.id, sessionId: member.sessionId }, newId, now },
    { accountId: INSTALLATION, action, subject: ['session', member.sessionId] },
  );

/** The member with this token. Null if it is unknown, expired or revoked, without distinction. */
export async function memberOf(deps: Deps, token: string): Promise<Member | null> {
  const claims = await deps.signed.content.read(token, deps.now());
  return claims ? ((await findContentSession(deps.db, claims.id, deps.now())) ?? null) : null;
}

/** Issues a new token for a valid refresh token; the end of the session does not change. Null if it is invalid. */
export async function renewContentSession(
  deps: Deps,
  refreshToken: string,
): Promise<(Member & { token: string }) | null> {
  const { db, now, settings } = deps;
  const member = await touchContentSession(
    db,
    await deps.sha256(refreshToken),
    now(),
    settings.CONTENT_SESSION_IDLE_MS,
  );
  if (!member) return null;
  const token = await deps.signed.content.issue({ id: member.sessionId, subject: member.user.id }, now());
  return { ...member, token };
}

export async function endContentSession(deps: Deps, member: Member): Promise<void> {
  await revokeContentSession(deps.db, member.sessionId, deps.now(), sessionEvent(deps, 'session.ended', member));
}

/** Ends the session that a login or registration replaces, by the browser's previous refresh token. */
export async function endReplacedSession(deps: Deps, refreshToken: string | undefined): Promise<void> {
  const replacedSession = refreshToken ? await renewContentSession(deps, refreshToken) : null;
  if (replacedSession) await endContentSession(deps, replacedSession);
}
