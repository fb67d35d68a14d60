import type { Role } from '#shared/contracts/content/content';
import {
  type ContentUserRow,
  deleteUser,
  findUser,
  findUsersByEmail,
  setRole,
} from '#worker/data/content/accounts/accounts';
import {
  endInvitation,
  findInvitation,
  type InvitationRow,
  replaceInvitation,
} from '#worker/data/content/accounts/invitations';
import { queueMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import type { Member } from './session.ts';

export type UserOutcome =
  | { kind: 'done'; user: ContentUserRow }
  | { kind: 'not-found' }
  /** At least one owner must remain. */
  | { kind: 'last-owner' };

const rightsEvent = (deps: Deps, id: string, role: Role) =>
  auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'content-user.changed',
    subject: ['content-user', id],
    after: { role, status: 'active' },
  });

/** Approves a pending account with a role. */
export async function approveUser(deps: Deps, actor: Member, id: string, role: Role): Promise<UserOutcome> {
  const user = await setRole(deps.db, id, role, 'pending', deps.now(), rightsEvent(deps, id, role));
  if (!user) return { kind: 'not-found' };
  deps.log.info('content-user-approved', { userId: id, by: actor.user.id, role });
  return { kind: 'done', user };
}

export async function changeRole(deps: Deps, actor: Member, id: string, role: Role): Promise<UserOutcome> {
  const user = await setRole(deps.db, id, role, 'active', deps.now(), rightsEvent(deps, id, role));
  if (user) {
    deps.log.info('content-role-changed', { userId: id, by: actor.user.id, role });
    return { kind: 'done', user };
  }
  const existing = await findUser(deps.db, id);
  return { kind: existing?.status === 'active' ? 'last-owner' : 'not-found' };
}

/** Removes an account, active or pending, with its sessions. */
export async function removeUser(deps: Deps, actor: Member, id: string): Promise<UserOutcome> {
  const user = await findUser(deps.db, id);
  if (!user) return { kind: 'not-found' };
  const subject: [string, string] = ['content-user', id];
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'content-user.removed', subject });
  if (!(await deleteUser(deps.db, user, deps.now(), event)))
    return { kind: (await findUser(deps.db, id)) ? 'last-owner' : 'not-found' };
  deps.log.info('content-user-removed', { userId: id, by: actor.user.id });
  return { kind: 'done', user };
}

export function revokeInvitation(deps: Deps, id: string): Promise<boolean> {
  const subject: [string, string] = ['invitation', id];
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'invitation.ended', subject });
  return endInvitation(deps.db, id, deps.now(), event);
}

const INVITATION_MS = 7 * 86_400_000;

export type InviteOutcome = { kind: 'invited'; invitation: InvitationRow; mailId: string } | { kind: 'has-account' };

/** Invites a person by email. The link grants the role at once, works once, and expires after seven days. */
export async function inviteColleague(
  deps: Deps,
  { user: inviter }: Member,
  { email, role }: { email: string; role: Role },
): Promise<InviteOutcome> {
  const { db, now } = deps;
  const [account] = await findUsersByEmail(db, email);
  if (account?.status === 'active') return { kind: 'has-account' };
  const [id, token] = [deps.newId(), deps.newSecret()];
  const invitation: InvitationRow = {
    id,
    tokenHash: await deps.sha256(token),
    email,
    role,
    invitedBy: inviter.name,
    createdAt: now(),
    endsAt: now() + INVITATION_MS,
    endedAt: null,
    inviterId: inviter.id,
  };
  const mailId = `invitation-${id}`;
  const sealed = await deps.sealer.seal(token, boundTo.mail(mailId));
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'invitation.sent',
    subject: ['invitation', id],
    after: { role, endsAt: invitation.endsAt },
  });
  await db.batch([
    ...replaceInvitation(db, invitation, event),
    queueMail(
      db,
      { id: mailId, kind: 'invitation', recipient: email, details: { token: sealed, role, invitedBy: inviter.name } },
      now(),
    ),
  ]);
  deps.log.info('content-invited', { invitationId: id, role });
  return { kind: 'invited', invitation, mailId };
}

/** Finds the open invitation behind a link. */
export const readInvitation = async (deps: Deps, token: string): Promise<InvitationRow | undefined> =>
  findInvitation(deps.db, await deps.sha256(token), deps.now());
