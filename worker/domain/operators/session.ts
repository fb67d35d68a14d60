import {
  findOperatorSession,
  type NewSession,
  type OperatorSession,
  revokeOperatorSession,
} from '#worker/data/operators/operators';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';

/** An operator in one browser's session. */
export type Operator = OperatorSession;

/** How long an operator may act after showing the passkey (ms). */
const PROOF_MS = 5 * 60_000;

/** True if this session has shown its passkey recently enough to act. */
export const isRecentlyProven = ({ now }: Pick<Deps, 'now'>, { provenAt }: Operator): boolean =>
  now() - provenAt < PROOF_MS;

/** The operator of this session cookie. Null if it is not valid. `isUse` restarts the session's idle time. */
export async function operatorOf(deps: Deps, token: string, isUse: boolean): Promise<Operator | null> {
  const now = deps.now();
  const idleFrom = now - deps.settings.SESSION_IDLE_MS;
  return findOperatorSession(deps.installation, await deps.sha256(token), { now, idleFrom, isUse });
}

type SessionIds = { id: string; operatorId: string };

/** The event of a sign-in or sign-out; the actor is the operator of that session. */
export const sessionEvent = (
  { actor, newId, now }: AuditDeps,
  action: 'session.opened' | 'session.ended',
  session: SessionIds,
) =>
  auditEvent(
    { actor: { ...actor, kind: 'operator', id: session.operatorId, sessionId: session.id }, newId, now },
    { accountId: INSTALLATION, action, subject: ['session', session.id] },
  );

/** A session that is not stored yet, with its cookie's token. */
export async function newOperatorSession(deps: Deps, operatorId: string): Promise<{ token: string; row: NewSession }> {
  const now = deps.now();
  const token = deps.newSecret();
  const row = {
    id: deps.newId(),
    operatorId,
    tokenHash: await deps.sha256(token),
    createdAt: now,
    seenAt: now,
    provenAt: now,
    endsAt: now + deps.settings.SESSION_MS,
  };
  return { token, row };
}

export const endOperatorSession = (deps: Deps, operator: Operator): Promise<void> =>
  revokeOperatorSession(deps.installation, operator.id, deps.now(), sessionEvent(deps, 'session.ended', operator));
