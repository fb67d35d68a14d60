import type { SecondPerson } from '#shared/contracts/staff/proof';
import type { Invitation, Member as ShownMember, Team } from '#shared/contracts/staff/team';
import { hasRight } from '#shared/contracts/staff/team-values';
import { decimalFromCents } from '#shared/money';
import { endInvitation } from '#worker/data/merchants/staff-invitations';
import {
  changeMember,
  endMemberSessions,
  findMember,
  type MemberChange,
  type MemberRow,
  readTeam,
  removeMember,
  type StaffInvitationRow,
  saveRefundLimit,
  type TeamMember,
} from '#worker/data/merchants/team';
import { findSecondPerson } from '#worker/data/refunds/approvals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from './session.ts';

const iso = (at: number) => new Date(at).toISOString();

export const presentMember = (row: TeamMember, caller: Pick<Merchant, 'userId'>): ShownMember => ({
  id: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  is_confirmed: row.isConfirmed,
  is_you: row.userId === caller.userId,
  uses_crm: row.crmUserId !== null,
  has_factor: row.hasFactor,
  last_login_at: row.lastLoginAt > 0 ? iso(row.lastLoginAt) : null,
});

export const presentInvitation = (row: StaffInvitationRow, invitedBy: string): Invitation => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  invited_by: invitedBy,
  created_at: iso(row.createdAt),
  ends_at: iso(row.endsAt),
});

export const nameOf = ({ name, email }: Pick<MemberRow, 'name' | 'email'>): string => name || email;

/** All members and invitations, for an administrator. */
export async function viewTeam(deps: Deps, caller: Merchant): Promise<Team> {
  const { members, invitations, refundLimitCents, secondPersonCents } = await readTeam(
    deps.db,
    caller.accountId,
    deps.now(),
  );
  const names = new Map(members.map((member) => [member.userId, nameOf(member)]));
  return {
    members: members.map((member) => presentMember(member, caller)),
    invitations: invitations.map((row) => presentInvitation(row, names.get(row.invitedBy ?? 0) ?? '')),
    refund_limit: refundLimitCents === null ? null : decimalFromCents(refundLimitCents),
    second_person: presentSecondPerson(
      secondPersonCents,
      members.filter(({ role }) => hasRight(role, 'refund')).length > 1,
    ),
  };
}

export type MemberOutcome =
  | { kind: 'done'; member: TeamMember }
  | { kind: 'not-found' }
  /** At least one administrator must remain. */
  | { kind: 'last-admin' }
  /** The caller was demoted or removed in the meantime. */
  | { kind: 'forbidden' };

const refusedChange = async (deps: Deps, caller: Merchant, member: MemberRow | undefined): Promise<MemberOutcome> => {
  if (!member) return { kind: 'not-found' };
  return { kind: (await findMember(deps.db, caller))?.role === 'admin' ? 'last-admin' : 'forbidden' };
};

/** Changes role, name or confirmation of a member. A member who becomes an administrator is also confirmed. */
export async function changeStaff(
  deps: Deps,
  caller: Merchant,
  userId: number,
  request: MemberChange,
): Promise<MemberOutcome> {
  const member = { accountId: caller.accountId, userId };
  const change: MemberChange = request.role === 'admin' ? { ...request, isConfirmed: true } : request;
  const event = auditEvent(deps, {
    accountId: caller.accountId,
    action: 'staff.changed',
    subject: ['staff', String(userId)],
    after: { role: change.role, confirmed: change.isConfirmed, renamed: change.name === undefined ? undefined : true },
  });
  const changedMember = await changeMember(deps.db, caller, member, change, deps.now(), event);
  if (!changedMember) return refusedChange(deps, caller, await findMember(deps.db, member));
  deps.log.info('staff-changed', { accountId: caller.accountId, userId, by: caller.userId, role: changedMember.role });
  return { kind: 'done', member: changedMember };
}

/** Removes a member: all their sessions end, and they are notified by email. `mailId`: the id of that email. */
export async function removeStaff(
  deps: Deps,
  by: Merchant,
  userId: number,
): Promise<Exclude<MemberOutcome, { kind: 'done' }> | { kind: 'removed'; mailId: string }> {
  const { accountId } = by;
  const member = { accountId, userId };
  const event = auditEvent(deps, { accountId, action: 'staff.removed', subject: ['staff', String(userId)] });
  const mailId = `staff-removed-${event.id}`;
  const mail = { id: mailId, kind: 'staff-removed' as const, accountId };
  if (!(await removeMember(deps.db, by, member, mail, deps.now(), event))) {
    const refusal = await refusedChange(deps, by, await findMember(deps.db, member));
    return refusal.kind === 'done' ? { kind: 'not-found' } : refusal;
  }
  deps.log.info('staff-removed', { accountId, userId, by: by.userId });
  return { kind: 'removed', mailId };
}

/** Ends all sessions of a member, who may log in again. */
export async function logOutStaff(
  deps: Deps,
  by: Merchant,
  userId: number,
): Promise<{ kind: 'ended'; ended: number } | { kind: 'not-found' | 'forbidden' }> {
  const { accountId } = by;
  const member = { accountId, userId };
  const event = auditEvent(deps, { accountId, action: 'sessions.ended', subject: ['staff', String(userId)] });
  const endedSessions = await endMemberSessions(deps.db, by, member, deps.now(), event);
  if (endedSessions === null) return { kind: (await findMember(deps.db, member)) ? 'forbidden' : 'not-found' };
  deps.log.info('staff-logged-out', { accountId, userId, by: by.userId, ended: endedSessions });
  return { kind: 'ended', ended: endedSessions };
}

/** Revokes an invitation. False if it is not open. */
export function revokeStaffInvitation(deps: Deps, caller: Merchant, id: string): Promise<boolean> {
  const subject: [string, string] = ['staff-invitation', id];
  const event = auditEvent(deps, { accountId: caller.accountId, action: 'staff.invitation-ended', subject });
  return endInvitation(deps.db, caller, id, deps.now(), event);
}

/**
 * Sets the amount (cents) that managers may refund within 24 hours; null allows only administrators to refund. False if
 * the caller is no longer allowed.
 */
export function setRefundLimit(deps: Deps, caller: Merchant, cents: number | null): Promise<boolean> {
  const { accountId } = caller;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'refund-limit.changed', subject, after: { cents } });
  return saveRefundLimit(deps.db, caller, 'refundLimitCents', cents, event);
}

/** The setting as shown on screens. `hasApprover`: true if anyone could be the second person. */
function presentSecondPerson(cents: number | null, hasApprover: boolean): SecondPerson {
  const message =
    cents === null || hasApprover
      ? ''
      : 'This has no effect now: no one else in this account could approve. Make someone a manager or administrator first.';
  return {
    second_person: cents === null ? null : decimalFromCents(cents),
    is_in_force: cents !== null && hasApprover,
    message,
  };
}

/**
 * Sets the amount (cents) of a payment above which refunds need a second person; null for never. Returns null if the
 * caller is no longer allowed.
 */
export async function setSecondPerson(
  deps: Deps,
  caller: Merchant,
  cents: number | null,
): Promise<SecondPerson | null> {
  const { accountId } = caller;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'second-person.changed', subject, after: { cents } });
  if (!(await saveRefundLimit(deps.db, caller, 'secondPersonCents', cents, event))) return null;
  return presentSecondPerson(cents, (await findSecondPerson(deps.db, caller)).isThere);
}
