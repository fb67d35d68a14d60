import { rolesWith } from '#shared/contracts/staff/team-values';
import { findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { deleteSecondFactors } from '#worker/data/content/accounts/passkeys';
import { queueMailToStaff } from '#worker/data/mail/outbox';
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
 * Queues an email to every administrator of a clinic, except `exceptUserId`, about an operator's change of a person's
 * rights. `personName`: that person's name, or the invited address. Returns the ids of the emails.
 */
export async function notifyAdmins(
  clinicDeps: Deps,
  accountId: number,
  change: 'made' | 'invited' | 'unlocked',
  personName: string,
  exceptUserId?: number,
): Promise<string[]> {
  const mail = {
    id: `operator-acted-${clinicDeps.newId()}`,
    kind: 'operator-acted' as const,
    details: { what: change, who: personName },
  };
  const staff = {
    accountId,
    roles: rolesWith('administer'),
    ...(exceptUserId === undefined ? {} : { exceptUserId }),
  };
  return (await queueMailToStaff(clinicDeps.db, staff, mail, clinicDeps.now())).map(({ id }) => id);
}

/**
 * Removes a person's passkeys and PIN and ends their sessions. This is for an only administrator who has lost them and
 * has no colleague to help. The person logs in with a mailed code and sets new ones; if the mailbox is lost too, hand
 * the clinic over to another address. The change is recorded in the clinic's audit trail and mailed to the person and
 * the administrators. Null if the team has no member with this address, or the member has no passkey and no PIN.
 * `mailIds`: emails to send in that clinic.
 */
export async function unlockStaff(
  deps: Deps,
  accountId: number,
  email: string,
): Promise<{ clinicDeps: Deps; mailIds: string[] } | null> {
  const clinicDeps = await databaseOf(deps, accountId);
  if (!clinicDeps || clinicDeps.clinic === 0) return null;
  const { db, newId, now } = clinicDeps;
  const member = await findMemberByEmail(db, accountId, email);
  if (!member) return null;
  const { userId } = member;
  const subject: [string, string] = ['staff', String(userId)];
  const event = auditEvent(clinicDeps, { accountId, action: 'factors.removed', subject });
  const mail = {
    id: `factor-changed-${newId()}`,
    kind: 'factor-changed' as const,
    details: { what: 'removed-by-support' },
  };
  if (!(await deleteFactors(db, null, { accountId, userId }, mail, now(), event))) return null;
  const sessionsEnded = auditEvent(clinicDeps, { accountId, action: 'sessions.ended', subject });
  await endOwnSessions(db, { accountId, userId }, null, now(), sessionsEnded);
  const adminMailIds = await notifyAdmins(clinicDeps, accountId, 'unlocked', nameOf(member), userId);
  return { clinicDeps: clinicDeps, mailIds: [mail.id, ...adminMailIds] };
}

/**
 * Removes the passkeys and recovery codes of a content account whose owner has lost them all, and ends its sessions.
 * The owner logs in by password and adds a new passkey. False if there is no such account, or it has no passkey.
 */
export async function unlockContentAccount(deps: Deps, email: string): Promise<boolean> {
  const [account] = await findUsersByEmail(deps.installation, email);
  if (!account || account.status === 'decoy') return false;
  const event = factorEvent(deps, 'second-factor.removed', account.id);
  return deleteSecondFactors(deps.installation, account.id, deps.now(), event);
}

export type HandOverOutcome =
  /** `mailIds`: emails to send in that clinic, to its administrators and to the invited person. */
  | { kind: 'made' | 'invited'; others: string[]; clinicDeps: Deps; mailIds: string[] }
  | { kind: 'not-found' | 'too-many' };

/**
 * Makes the person with this address a confirmed administrator of an account, for a clinic whose administrator has left
 * or was never the right person. A person outside the team is invited. No one is removed; `others` are the other
 * administrators. All of them get an email, because the change came from outside the clinic.
 */
export async function handOverClinic(deps: Deps, accountId: number, email: string): Promise<HandOverOutcome> {
  const clinicDeps = await databaseOf(deps, accountId);
  if (!clinicDeps || clinicDeps.clinic === 0) return { kind: 'not-found' };
  const { db, now } = clinicDeps;
  const [member, { members }] = await Promise.all([
    findMemberByEmail(db, accountId, email),
    readTeam(db, accountId, now()),
  ]);
  const admins = members.filter(({ userId, role }) => role === 'admin' && userId !== member?.userId);
  const others = admins.map(nameOf);
  if (member) {
    const event = auditEvent(clinicDeps, {
      accountId,
      action: 'staff.changed',
      subject: ['staff', String(member.userId)],
      after: { role: 'admin', confirmed: true },
    });
    const change = { role: 'admin', isConfirmed: true } as const;
    const changedMember = await changeMember(db, null, { accountId, userId: member.userId }, change, now(), event);
    if (!changedMember) return { kind: 'not-found' };
    return {
      kind: 'made',
      others,
      clinicDeps: clinicDeps,
      mailIds: await notifyAdmins(clinicDeps, accountId, 'made', nameOf(member)),
    };
  }
  const inviteOutcome = await inviteStaff(clinicDeps, accountId, null, { email, name: '', role: 'admin' });
  if (inviteOutcome.kind !== 'invited') return { kind: inviteOutcome.kind === 'too-many' ? 'too-many' : 'not-found' };
  const adminMailIds = await notifyAdmins(clinicDeps, accountId, 'invited', email);
  return { kind: 'invited', others, clinicDeps: clinicDeps, mailIds: [inviteOutcome.mailId, ...adminMailIds] };
}
