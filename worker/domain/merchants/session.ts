import type { StaffSession } from '#shared/contracts/staff/team';
import type { SessionBeginning, StaffRole } from '#shared/contracts/staff/team-values';
import { depsOfCapability, depsOfClinic } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import {
  endOwnSessions,
  findSession,
  insertSession,
  listOwnSessions,
  readSessionEnd,
  revokeSession,
  type SessionRow,
  touchSession,
} from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { causeOf } from '#worker/log';

/** Scripts can read the short-lived `accessToken`, but not `refreshToken`, which renews it. */
export type OpenSession = { accessToken: string; refreshToken: string; endsAt: number };

/** A logged-in person with their current role. */
export type Merchant = { sessionId: string; accountId: number; userId: number; role: StaffRole };

/** How this session began, and the latest proof of identity in it. Times in UTC ms. */
export type SessionProof = Pick<SessionRow, 'beganBy' | 'createdAt' | 'endsAt' | 'proof' | 'provedAt'>;

/** A merchant with this session's proof and the clinic that stores the session. */
export type LoggedInMerchant = Merchant & SessionProof & { clinic: number };

/**
 * Opens a session for a person of the current clinic. Null if they were removed. `label`: a description of the browser.
 * `endsBy` (UTC ms): the latest end, if earlier than usual. Every login except one through the CRM counts as a proof of
 * identity.
 */
export async function openSession(
  deps: Deps,
  user: { accountId: number; userId: number },
  { beganBy, label, endsBy }: { beganBy: SessionBeginning; label: string; endsBy?: number },
): Promise<OpenSession | null> {
  const now = deps.now();
  const refreshToken = deps.newCapability();
  const session = {
    id: deps.newId(),
    accountId: user.accountId,
    userId: user.userId,
    refreshTokenHash: await deps.sha256(refreshToken),
    createdAt: now,
    seenAt: now,
    endsAt: Math.min(now + deps.settings.SESSION_MS, endsBy ?? Number.POSITIVE_INFINITY),
    beganBy,
    label,
    ...(beganBy === 'crm' ? {} : { provedAt: now, proof: beganBy }),
  };
  const identity = { sessionId: session.id, clinic: deps.clinic, accountId: user.accountId, userId: user.userId };
  const event = sessionEvent(deps, 'session.opened', identity);
  if (!(await insertSession(deps.db, session, event))) return null;
  return { accessToken: await deps.accessTokens.issue(identity, now), refreshToken, endsAt: session.endsAt };
}

const merchantFrom = (clinic: number, row: SessionRow): LoggedInMerchant => {
  const { id, accountId, userId, role, beganBy, createdAt, endsAt, proof, provedAt } = row;
  return { sessionId: id, clinic, accountId, userId, role, beganBy, createdAt, endsAt, proof, provedAt };
};

/** The merchant with this access token. Null if it is unknown, expired or revoked, without distinction. */
export async function merchantOf(deps: Deps, accessToken: string): Promise<LoggedInMerchant | null> {
  const claims = await deps.accessTokens.read(accessToken, deps.now());
  if (!claims) return null;
  const session = await unlessErased(findSession(depsOfClinic(deps, claims.clinic).db, claims.sessionId, deps.now()));
  return session ? merchantFrom(claims.clinic, session) : null;
}

/**
 * Like `merchantOf`, for a request that changes data: it must also carry the session's refresh token, which a script
 * with a stolen access token cannot read.
 */
export async function merchantWithTokens(
  deps: Deps,
  accessToken: string,
  refreshToken: string | undefined,
): Promise<LoggedInMerchant | null> {
  const claims = await deps.accessTokens.read(accessToken, deps.now());
  if (!claims || !refreshToken) return null;
  const session = await unlessErased(findSession(depsOfClinic(deps, claims.clinic).db, claims.sessionId, deps.now()));
  if (session?.refreshTokenHash !== (await deps.sha256(refreshToken))) return null;
  return merchantFrom(claims.clinic, session);
}

/**
 * Issues a new access token for a valid refresh token; the end of the session does not change. Null if it is invalid.
 */
export async function renewSession(
  deps: Deps,
  refreshToken: string,
): Promise<{ accessToken: string; merchant: LoggedInMerchant } | null> {
  const clinicDeps = depsOfCapability(deps, refreshToken);
  if (!clinicDeps) return null;
  const { db, clinic, now, settings } = clinicDeps;
  const hash = await deps.sha256(refreshToken);
  const session = await unlessErased(touchSession(db, hash, now(), settings.SESSION_IDLE_MS));
  if (!session) return null;
  const merchant = merchantFrom(clinic, session);
  return { accessToken: await deps.accessTokens.issue(merchant, now()), merchant };
}

/** The reason why a refresh token no longer opens a session; null if it never did. */
export async function findEndReason(deps: Deps, refreshToken: string): Promise<'removed' | 'ended' | null> {
  const clinicDeps = depsOfCapability(deps, refreshToken);
  return clinicDeps && ((await unlessErased(readSessionEnd(clinicDeps.db, await deps.sha256(refreshToken)))) ?? null);
}

export const endSession = (deps: Deps, merchant: Merchant): Promise<void> =>
  revokeSession(deps.db, merchant.sessionId, deps.now(), sessionEvent(deps, 'session.ended', merchant));

/**
 * Ends the session that a login replaces, by the browser's previous refresh token. It may belong to another clinic,
 * whose failure must not block the login to this one.
 */
export async function endReplacedSession(deps: Deps, refreshToken: string | undefined): Promise<void> {
  try {
    const replacedSession = refreshToken ? await renewSession(deps, refreshToken) : null;
    if (replacedSession)
      await endSession(depsOfClinic(deps, replacedSession.merchant.clinic), replacedSession.merchant);
  } catch (cause) {
    deps.log.info('replaced-session-not-ended', { cause: causeOf(cause) });
  }
}

/** The event of a login or logout, with the session's person as its actor. */
const sessionEvent = (
  { actor, newId, now }: AuditDeps,
  action: 'session.opened' | 'session.ended',
  { sessionId, accountId, userId }: Omit<Merchant, 'role'>,
) =>
  auditEvent(
    { actor: { ...actor, kind: 'user', id: String(userId), sessionId }, newId, now },
    { accountId, action, subject: ['session', sessionId] },
  );

const iso = (at: number) => new Date(at).toISOString();

/** The open sessions of a person, newest first. */
export async function viewOwnSessions({ db, now, settings }: Deps, caller: Merchant): Promise<StaffSession[]> {
  const rows = await listOwnSessions(db, caller, now(), settings.SESSION_IDLE_MS);
  return rows.map(({ id, label, beganBy, createdAt, seenAt, endsAt }) => ({
    id,
    is_this: id === caller.sessionId,
    browser: label,
    began_by: beganBy,
    began_at: iso(createdAt),
    seen_at: iso(seenAt),
    ends_at: iso(endsAt),
  }));
}

/** Ends one of the person's own sessions. False if it is not theirs or has already ended. */
export async function endOwnSession(deps: Deps, { accountId, userId }: Merchant, id: string): Promise<boolean> {
  const event = auditEvent(deps, { accountId, action: 'session.ended', subject: ['session', id] });
  return (await endOwnSessions(deps.db, { accountId, userId }, id, deps.now(), event)) === 1;
}

/** Ends every session of a person, including the current one; returns the number. */
export function endEverySession(deps: Deps, { accountId, userId }: Merchant): Promise<number> {
  const event = auditEvent(deps, { accountId, action: 'sessions.ended', subject: ['staff', String(userId)] });
  return endOwnSessions(deps.db, { accountId, userId }, null, deps.now(), event);
}
