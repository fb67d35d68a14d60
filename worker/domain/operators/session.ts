import {
  findOperatorSession,
  type NewSession,
  type OperatorSession,
  revokeOperatorSession,
} from '#worker/data/operators/operators';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';

/** An operator in one browser's session. */
export type Operator = OperatorSession;

/** How long after the passkey was shown an operator may act (ms). */
const PROOF_MS = 5 * 60_000;

/** Whether this session has shown its passkey so lately that it may act. */
export const isFresh = ({ now }: Pick<Deps, 'now'>, { provenAt }: Operator): boolean => now() - provenAt < PROOF_MS;

/** The operator whose cookie this is; null: it opens nothing. With `isUse` the session's idle time starts anew. */
export async function operatorOf(deps: Deps, token: string, isUse: boolean): Promise<Operator | null> {
  const now = deps.now();
  const idleFrom = now - deps.settings.SESSION_IDLE_MS;
  return findOperatorSession(deps.installation, await deps.sha256(token), { now, idleFrom, isUse });
}

type Who = { id: string; operatorId: string };

/** The event of a sign-in or sign-out: the person acts, who is known only by it. */
export const sessionEvent = ({ actor, newId, now }: Acting, action: 'session.opened' | 'session.ended', who: Who) =>
  auditEvent(
    { actor: { ...actor, kind: 'operator', id: who.operatorId, sessionId: who.id }, newId, now },
    { accountId: INSTALLATION, action, subject: ['session', who.id] },
  );

/** A session, not stored yet, with the token that its cookie carries. */
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
