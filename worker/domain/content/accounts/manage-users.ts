import type { Role } from '#shared/contracts/content/content';
import { type ContentUserRow, deleteUser, findUser, setRole } from '#worker/data/content/accounts/accounts';
import { endInvitation } from '#worker/data/content/accounts/invitations';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Member } from './session.ts';

export type UserOutcome =
  | { kind: 'done'; user: ContentUserRow }
  | { kind: 'not-found' }
  /** One owner has to remain. */
  | { kind: 'last-owner' };

const rightsEvent = (deps: Deps, id: string, role: Role) =>
  auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'content-user.changed',
    subject: ['content-user', id],
    after: { role, status: 'active' },
  });

/** Give a pending account its role. */
export async function approveUser(deps: Deps, by: Member, id: string, role: Role): Promise<UserOutcome> {
  const user = await setRole(deps.db, id, role, 'pending', deps.now(), rightsEvent(deps, id, role));
  if (!user) return { kind: 'not-found' };
  deps.log.info('content-user-approved', { userId: id, by: by.user.id, role });
  return { kind: 'done', user };
}

export async function changeRole(deps: Deps, by: Member, id: string, role: Role): Promise<UserOutcome> {
  const user = await setRole(deps.db, id, role, 'active', deps.now(), rightsEvent(deps, id, role));
  if (user) {
    deps.log.info('content-role-changed', { userId: id, by: by.user.id, role });
    return { kind: 'done', user };
  }
  const found = await findUser(deps.db, id);
  return { kind: found?.status === 'active' ? 'last-owner' : 'not-found' };
}

/** Remove an account, active or pending, with its sessions. */
export async function removeUser(deps: Deps, by: Member, id: string): Promise<UserOutcome> {
  const user = await findUser(deps.db, id);
  if (!user) return { kind: 'not-found' };
  const subject: [string, string] = ['content-user', id];
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'content-user.removed', subject });
  if (!(await deleteUser(deps.db, user, deps.now(), event)))
    return { kind: (await findUser(deps.db, id)) ? 'last-owner' : 'not-found' };
  deps.log.info('content-user-removed', { userId: id, by: by.user.id });
  return { kind: 'done', user };
}

export function takeBackInvitation(deps: Deps, id: string): Promise<boolean> {
  const subject: [string, string] = ['invitation', id];
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'invitation.ended', subject });
  return endInvitation(deps.db, id, deps.now(), event);
}
