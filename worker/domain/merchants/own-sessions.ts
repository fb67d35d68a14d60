import type { StaffSession } from '#shared/contracts/team';
import { endOwnSessions, listOwnSessions } from '#worker/data/merchants/own-sessions';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from './session.ts';

const iso = (at: number) => new Date(at).toISOString();

/** Where a person is logged in, the newest first. */
export async function viewOwnSessions({ db, now, settings }: Deps, you: Merchant): Promise<StaffSession[]> {
  const rows = await listOwnSessions(db, you, now(), settings.SESSION_IDLE_MS);
  return rows.map(({ id, label, beganBy, createdAt, seenAt, endsAt }) => ({
    id,
    is_this: id === you.sessionId,
    browser: label,
    began_by: beganBy,
    began_at: iso(createdAt),
    seen_at: iso(seenAt),
    ends_at: iso(endsAt),
  }));
}

/** End one session of the person's own. False: it is not theirs, or over already. */
export async function endOwnSession(deps: Deps, { accountId, userId }: Merchant, id: string): Promise<boolean> {
  const event = auditEvent(deps, { accountId, action: 'session.ended', subject: ['session', id] });
  return (await endOwnSessions(deps.db, { accountId, userId }, id, deps.now(), event)) === 1;
}

/** End every session of a person, the one that asks too; answers how many. */
export function endEverySession(deps: Deps, { accountId, userId }: Merchant): Promise<number> {
  const event = auditEvent(deps, { accountId, action: 'sessions.ended', subject: ['staff', String(userId)] });
  return endOwnSessions(deps.db, { accountId, userId }, null, deps.now(), event);
}
