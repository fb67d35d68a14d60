import type { StaffRole } from '#shared/contracts/staff/team-values';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import {
  acceptInvitation,
  checkInvitee,
  findOpenInvitation,
  insertInvitation,
  type OpenInvitation,
} from '#worker/data/merchants/staff-invitations';
import { findMember, type Member, type StaffInvitationRow } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import { reportStaffAddresses } from './clinic-of-account.ts';
import { type OpenSession, openSession } from './session.ts';
import { nameOf } from './team.ts';

const INVITATION_MS = 7 * 86_400_000;
/** Maximum number of open invitations per account, to limit the emails sent. */
const MAX_OPEN_INVITATIONS = 50;

export type InviteStaffOutcome =
  | { kind: 'invited'; invitation: StaffInvitationRow; invitedBy: string; mailId: string }
  | { kind: 'is-member' }
  | { kind: 'too-many' }
  /** The caller was demoted or removed in the meantime. */
  | { kind: 'forbidden' };

/**
 * Invites a person by email. The link gives the role at once, works once, and expires after seven days. `caller`
 * is null if the operator invites.
 */
export async function inviteStaff(
  deps: Deps,
  accountId: number,
  caller: Member | null,
  { email, name, role }: { email: string; name: string; role: StaffRole },
): Promise<InviteStaffOutcome> {
  const { db, now } = deps;
  const [{ isMember, open: openInvitations }, inviter] = await Promise.all([
    checkInvitee(db, accountId, email, now()),
    caller && findMember(db, caller),
  ]);
  if (isMember) return { kind: 'is-member' };
  if (openInvitations >= MAX_OPEN_INVITATIONS) return { kind: 'too-many' };
  const [id, secret] = [deps.newId(), deps.newCapability()];
  const invitation: StaffInvitationRow = {
    id,
    accountId,
    email,
    name,
    role,
    secretHash: await deps.sha256(secret),
    invitedBy: caller?.userId ?? null,
    createdAt: now(),
    endsAt: now() + INVITATION_MS,
    endedAt: null,
  };
  const invitedBy = inviter ? nameOf(inviter) : '';
  const mailId = `staff-invitation-${id}`;
  const mail = {
    id: mailId,
    kind: 'staff-invitation' as const,
    recipient: email,
    accountId,
    details: { token: await deps.sealer.seal(secret, boundTo.mail(mailId)), role, name, invitedBy },
  };
  const subject: [string, string] = ['staff-invitation', id];
  const after = { role, endsAt: invitation.endsAt };
  const event = auditEvent(deps, { accountId, action: 'staff.invited', subject, after });
  if (!(await insertInvitation(db, caller, invitation, mail, event))) return { kind: 'forbidden' };
  deps.log.info('staff-invited', { accountId, invitationId: id, role });
  return { kind: 'invited', invitation, invitedBy, mailId };
}

/**
 * The open invitation behind a link, with the deps of its clinic. Null if it was used, has expired or never existed.
 */
export async function readStaffInvitation(
  deps: Deps,
  secret: string,
): Promise<{ clinicDeps: Deps; invitation: OpenInvitation } | null> {
  const clinicDeps = depsOfCapability(deps, secret);
  if (!clinicDeps) return null;
  const invitation = await unlessErased(findOpenInvitation(clinicDeps.db, await deps.sha256(secret), deps.now()));
  return invitation ? { clinicDeps, invitation } : null;
}

/**
 * Accepts an invitation: the person becomes a member and is logged in at once, since only the owner of the mailbox has
 * the link. It works once. Null if it is not open.
 */
export async function joinTeam(deps: Deps, secret: string, label: string): Promise<OpenSession | null> {
  const foundInvitation = await readStaffInvitation(deps, secret);
  if (!foundInvitation) return null;
  const { clinicDeps, invitation } = foundInvitation;
  const { id, accountId, role } = invitation;
  const subject: [string, string] = ['staff-invitation', id];
  const event = auditEvent(clinicDeps, { accountId, action: 'staff.joined', subject, after: { role } });
  const userId = await acceptInvitation(clinicDeps.db, invitation, clinicDeps.now(), event);
  if (userId === null) return null;
  deps.log.info('staff-joined', { accountId, userId, invitationId: id });
  await reportStaffAddresses(clinicDeps);
  return openSession(clinicDeps, { accountId, userId }, { beganBy: 'code', label });
}
