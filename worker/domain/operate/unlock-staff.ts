import { endOwnSessions } from '#worker/data/merchants/own-sessions';
import { deleteFactors } from '#worker/data/merchants/proofs';
import { findMemberByEmail } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { nameOf } from '#worker/domain/merchants/team';
import { databaseOf } from './find.ts';
import { tellAdmins } from './tell-admins.ts';

/**
 * Take passkeys and PIN of a person of a clinic away and end their logins, for the only administrator who has lost them
 * all, so that no colleague can do it. They log in by a mailed code and set new ones; whoever lost the mailbox as well
 * takes a hand-over to another address. Told in the clinic's trail and by mail, to them and to its administrators. Null:
 * nobody of that address is in its team, or they have neither. `mailIds`: what is to be sent in the clinic, `own`.
 */
export async function unlockStaff(
  deps: Deps,
  accountId: number,
  email: string,
): Promise<{ own: Deps; mailIds: string[] } | null> {
  const own = await databaseOf(deps, accountId);
  if (!own || own.clinic === 0) return null;
  const { db, newId, now } = own;
  const member = await findMemberByEmail(db, accountId, email);
  if (!member) return null;
  const { userId } = member;
  const subject: [string, string] = ['staff', String(userId)];
  const event = auditEvent(own, { accountId, action: 'factors.removed', subject });
  const mail = {
    ...{ id: `factor-changed-${newId()}`, kind: 'factor-changed' as const },
    details: { what: 'removed-by-support' },
  };
  if (!(await deleteFactors(db, null, { accountId, userId }, mail, now(), event))) return null;
  const ended = auditEvent(own, { accountId, action: 'sessions.ended', subject });
  await endOwnSessions(db, { accountId, userId }, null, now(), ended);
  const told = await tellAdmins(own, accountId, 'unlocked', nameOf(member), userId);
  return { own, mailIds: [mail.id, ...told] };
}
