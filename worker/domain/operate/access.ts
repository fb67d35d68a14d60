import { rolesWith } from '#shared/contracts/staff/team-values';
import { findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { deleteSecondFactors } from '#worker/data/content/accounts/passkeys';
import { oweMailToStaff } from '#worker/data/mail/outbox';
import { deleteFactors } from '#worker/data/merchants/proofs';
import { endOwnSessions } from '#worker/data/merchants/sessions';
import { changeMember, findMemberByEmail, readTeam } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { factorEvent } from '#worker/domain/content/accounts/second-factor';
import { inviteStaff } from '#worker/domain/merchants/staff-invitation';
import { nameOf } from '#worker/domain/merchants/team';
import { databaseOf } from './view.ts';

/**
 * Owe every administrator of a clinic, `but` for one of them, a mail about what the operator did to a person's rights.
 * `who`: that person, as the clinic knows them. Answers the mails' ids.
 */
export async function tellAdmins(
  own: Deps,
  accountId: number,
  what: 'made' | 'invited' | 'unlocked',
  who: string,
  but?: number,
): Promise<string[]> {
  const mail = { id: `operator-acted-${own.newId()}`, kind: 'operator-acted' as const, details: { what, who } };
  const staff = { accountId, roles: rolesWith('administer'), ...(but === undefined ? {} : { but }) };
  return (await oweMailToStaff(own.db, staff, mail, own.now())).map(({ id }) => id);
}

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

/**
 * Take the passkeys and recovery codes of a content account away, for a person who lost them all: they log in by their
 * password and make a new one. Its sessions end. False: there is no such account, or it has no passkey.
 */
export async function unlockContentAccount(deps: Deps, email: string): Promise<boolean> {
  const [account] = await findUsersByEmail(deps.installation, email);
  if (!account || account.status === 'decoy') return false;
  const event = factorEvent(deps, 'second-factor.removed', account.id);
  return deleteSecondFactors(deps.installation, account.id, deps.now(), event);
}

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
