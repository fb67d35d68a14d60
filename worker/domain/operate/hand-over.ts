import { changeMember, findMemberByEmail, readTeam } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { inviteStaff } from '#worker/domain/merchants/invite';
import { nameOf } from '#worker/domain/merchants/team';
import { databaseOf } from './find.ts';
import { tellAdmins } from './tell-admins.ts';

export type HandOverOutcome =
  /** `mailIds`: what is to be sent in the clinic, `own`: to its administrators, and to who is invited. */
  { kind: 'made' | 'invited'; others: string[]; own: Deps; mailIds: string[] } | { kind: 'not-found' | 'too-many' };

/**
 * Make the person of this address an administrator of an account, confirmed: for a clinic whose administrator left, or
 * never was the right one. Who is not in its team is invited. Nobody is removed; `others` are its other administrators.
 * All of them are told by mail, since nobody of the clinic did it.
 */
export async function handOverClinic(deps: Deps, accountId: number, email: string): Promise<HandOverOutcome> {
  const own = await databaseOf(deps, accountId);
  if (!own || own.clinic === 0) return { kind: 'not-found' };
  const { db, now } = own;
  const [member, { members }] = await Promise.all([
    findMemberByEmail(db, accountId, email),
    readTeam(db, accountId, now()),
  ]);
  const admins = members.filter(({ userId, role }) => role === 'admin' && userId !== member?.userId);
  const others = admins.map(nameOf);
  if (member) {
    const event = auditEvent(own, {
      ...{ accountId, action: 'staff.changed', subject: ['staff', String(member.userId)] },
      after: { role: 'admin', confirmed: true },
    });
    const wish = { role: 'admin', isConfirmed: true } as const;
    const changed = await changeMember(db, null, { accountId, userId: member.userId }, wish, now(), event);
    if (!changed) return { kind: 'not-found' };
    return { kind: 'made', others, own, mailIds: await tellAdmins(own, accountId, 'made', nameOf(member)) };
  }
  const invited = await inviteStaff(own, accountId, null, { email, name: '', role: 'admin' });
  if (invited.kind !== 'invited') return { kind: invited.kind === 'too-many' ? 'too-many' : 'not-found' };
  const told = await tellAdmins(own, accountId, 'invited', email);
  return { kind: 'invited', others, own, mailIds: [invited.mailId, ...told] };
}
