import { unlessErased } from '#worker/clinic/no-such-clinic';
import { ofCapability } from '#worker/clinic/of-clinic';
import { acceptInvitation, findOpenInvitation, type OpenInvitation } from '#worker/data/merchants/join';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { tellStaff } from './clinic-of-account.ts';
import { type OpenSession, openSession } from './session.ts';

/** The open invitation behind a link, with the deps of its clinic. Null: it was used or has ended, or we never made it. */
export async function readStaffInvitation(
  deps: Deps,
  secret: string,
): Promise<{ own: Deps; invitation: OpenInvitation } | null> {
  const own = ofCapability(deps, secret);
  if (!own) return null;
  const invitation = await unlessErased(findOpenInvitation(own.db, await deps.sha256(secret), deps.now()));
  return invitation ? { own, invitation } : null;
}

/**
 * Accept an invitation: its person becomes a member and is logged in at once, since only who reads that mailbox has the
 * link. It works once. Null: it is not open.
 */
export async function joinTeam(deps: Deps, secret: string, label: string): Promise<OpenSession | null> {
  const found = await readStaffInvitation(deps, secret);
  if (!found) return null;
  const { own, invitation } = found;
  const { id, accountId, role } = invitation;
  const subject: [string, string] = ['staff-invitation', id];
  const event = auditEvent(own, { accountId, action: 'staff.joined', subject, after: { role } });
  const userId = await acceptInvitation(own.db, invitation, own.now(), event);
  if (userId === null) return null;
  deps.log.info('staff-joined', { accountId, userId, invitationId: id });
  await tellStaff(own);
  return openSession(own, { accountId, userId }, { beganBy: 'code', label });
}
