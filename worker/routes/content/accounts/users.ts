import { InvitationItem, UserItem, UsersReply } from '#shared/contracts/content/content';
import { DeletedReply } from '#shared/contracts/content/content-answers';
import { InviteBody, RoleBody } from '#shared/contracts/content/content-request';
import { type ContentUserRow, listUsers } from '#worker/data/content/accounts/accounts';
import { type InvitationRow, listInvitations } from '#worker/data/content/accounts/invitations';
import {
  approveUser,
  changeRole,
  inviteColleague,
  removeUser,
  revokeInvitation,
  type UserOutcome,
} from '#worker/domain/content/accounts/manage-users';
import type { Member } from '#worker/domain/content/accounts/session';
import { sendMail } from '#worker/domain/mail/send';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type MemberRequest, type Routes, route } from '#worker/http/routes';

/** Routes with which owners invite, approve, change and remove accounts of the content area. */
export const cmsUserRoutes: Routes = {
  'GET /api/cms/users': route({
    access: 'owner',
    summary: 'List content accounts and invitations',
    answers: { 200: UsersReply },
    handle: getUsers,
  }),
  'POST /api/cms/users/invitations': route({
    access: 'owner',
    summary: 'Invite someone to the content area',
    body: InviteBody,
    bodyLimit: 10_000,
    answers: { 201: InvitationItem },
    handle: postInvitation,
  }),
  'DELETE /api/cms/users/invitations/:id': route({
    access: 'owner',
    summary: 'Withdraw an invitation to the content area',
    answers: { 200: DeletedReply },
    handle: deleteInvitation,
  }),
  'POST /api/cms/users/:id/approve': route({
    access: 'owner',
    summary: 'Approve a content account',
    body: RoleBody,
    bodyLimit: 10_000,
    answers: { 200: UserItem },
    errors: [409],
    handle: postApproval,
  }),
  'PUT /api/cms/users/:id': route({
    access: 'owner',
    summary: 'Change the role of a content account',
    body: RoleBody,
    bodyLimit: 10_000,
    answers: { 200: UserItem },
    errors: [409],
    handle: putRole,
  }),
  'DELETE /api/cms/users/:id': route({
    access: 'owner',
    summary: 'Remove a content account',
    answers: { 200: DeletedReply },
    errors: [409],
    handle: deleteUser,
  }),
};

const toIso = (at: number) => new Date(at).toISOString();
const idOf = (c: C) => c.req.param('id') ?? '';

const userItem = (user: ContentUserRow, { user: caller }: Member): UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status === 'active' ? 'active' : 'pending',
  createdAt: toIso(user.createdAt),
  lastLoginAt: user.lastLoginAt === null ? null : toIso(user.lastLoginAt),
  isYou: user.id === caller.id,
});

const invitationItem = ({ id, email, role, invitedBy, createdAt, endsAt }: InvitationRow): InvitationItem => ({
  id,
  email,
  role,
  invitedBy,
  createdAt: toIso(createdAt),
  endsAt: toIso(endsAt),
});

async function getUsers({ c, deps, member }: MemberRequest): Promise<Response> {
  const [users, invitations] = await Promise.all([listUsers(deps.db), listInvitations(deps.db, deps.now())]);
  return c.json({
    users: users.map((user) => userItem(user, member)),
    invitations: invitations.map(invitationItem),
  } satisfies UsersReply);
}

async function postInvitation({ c, deps, member, body }: MemberRequest<typeof InviteBody>): Promise<Response> {
  const outcome = await inviteColleague(deps, member, body);
  if (outcome.kind === 'has-account') return refuseInvalid(c, { email: 'This address already has an account.' });
  runToCompletion(c, sendMail(deps, outcome.mailId));
  return c.json(invitationItem(outcome.invitation), 201);
}

async function deleteInvitation({ c, deps }: MemberRequest): Promise<Response> {
  if (!(await revokeInvitation(deps, idOf(c)))) return apiError(c, 404, 'not-found', 'Invitation not found');
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function postApproval({ c, deps, member, body }: MemberRequest<typeof RoleBody>): Promise<Response> {
  return replyToChange(c, member, await approveUser(deps, member, idOf(c), body.role));
}

async function putRole({ c, deps, member, body }: MemberRequest<typeof RoleBody>): Promise<Response> {
  return replyToChange(c, member, await changeRole(deps, member, idOf(c), body.role));
}

async function deleteUser({ c, deps, member }: MemberRequest): Promise<Response> {
  const outcome = await removeUser(deps, member, idOf(c));
  return outcome.kind === 'done'
    ? c.json({ id: outcome.user.id } satisfies DeletedReply)
    : replyToChange(c, member, outcome);
}

function replyToChange(c: C, member: Member, outcome: UserOutcome): Response {
  switch (outcome.kind) {
    case 'done':
      return c.json(userItem(outcome.user, member));
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Account not found');
    case 'last-owner':
      return apiError(c, 409, 'conflict', 'There must be at least one owner. Make someone else an owner first.');
  }
}
