import type { Context } from 'hono';
import type { InvitationItem, UserItem, UsersReply } from '#shared/contracts/content/content';
import type { DeletedReply } from '#shared/contracts/content/content-answers';
import { InviteBody, RoleBody } from '#shared/contracts/content/content-request';
import { type ContentUserRow, listUsers } from '#worker/data/content/accounts/accounts';
import { type InvitationRow, listInvitations } from '#worker/data/content/accounts/invitations';
import type { Deps, Env } from '#worker/deps';
import { inviteColleague } from '#worker/domain/content/accounts/invite';
import {
  approveUser,
  changeRole,
  removeUser,
  takeBackInvitation,
  type UserOutcome,
} from '#worker/domain/content/accounts/manage-users';
import type { Member } from '#worker/domain/content/accounts/session';
import { sendMail } from '#worker/domain/mail/send';
import { memberOnly } from '#worker/http/guards/require-editor';
import { limitBody } from '#worker/http/middleware/limit-body';
import { invalid, readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Accounts of the content area: owners invite, approve, change and remove them. */
export function cmsUserRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  app.use('/api/cms/users', limit);
  app.use('/api/cms/users/*', limit);
  route(app, '/api/cms/users', { GET: memberOnly(depsOf, getUsers) });
  route(app, '/api/cms/users/invitations', { POST: memberOnly(depsOf, postInvitation) });
  route(app, '/api/cms/users/invitations/:id', { DELETE: memberOnly(depsOf, deleteInvitation) });
  route(app, '/api/cms/users/:id/approve', { POST: memberOnly(depsOf, approve) });
  route(app, '/api/cms/users/:id', { PUT: memberOnly(depsOf, putRole), DELETE: memberOnly(depsOf, deleteUser) });
}

const iso = (at: number) => new Date(at).toISOString();
const idOf = (c: C) => c.req.param('id') ?? '';

const userItem = (user: ContentUserRow, { user: you }: Member): UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status === 'active' ? 'active' : 'pending',
  createdAt: iso(user.createdAt),
  lastLoginAt: user.lastLoginAt === null ? null : iso(user.lastLoginAt),
  isYou: user.id === you.id,
});

const invitationItem = ({ id, email, role, invitedBy, createdAt, endsAt }: InvitationRow): InvitationItem => ({
  id,
  email,
  role,
  invitedBy,
  createdAt: iso(createdAt),
  endsAt: iso(endsAt),
});

async function getUsers(c: C, deps: Deps, member: Member): Promise<Response> {
  const [users, invitations] = await Promise.all([listUsers(deps.db), listInvitations(deps.db, deps.now())]);
  return c.json({
    users: users.map((user) => userItem(user, member)),
    invitations: invitations.map(invitationItem),
  } satisfies UsersReply);
}

async function postInvitation(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, InviteBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await inviteColleague(deps, member, body.data);
  if (outcome.kind === 'has-account') return invalid(c, { email: 'This address has an account already.' });
  runToCompletion(c, sendMail(deps, outcome.mailId));
  return c.json(invitationItem(outcome.invitation), 201);
}

async function deleteInvitation(c: C, deps: Deps): Promise<Response> {
  if (!(await takeBackInvitation(deps, idOf(c)))) return apiError(c, 404, 'not-found', 'Invitation not found');
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}

async function approve(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, RoleBody);
  if ('refusal' in body) return body.refusal;
  return answer(c, member, await approveUser(deps, member, idOf(c), body.data.role));
}

async function putRole(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, RoleBody);
  if ('refusal' in body) return body.refusal;
  return answer(c, member, await changeRole(deps, member, idOf(c), body.data.role));
}

async function deleteUser(c: C, deps: Deps, member: Member): Promise<Response> {
  const outcome = await removeUser(deps, member, idOf(c));
  return outcome.kind === 'done' ? c.json({ id: outcome.user.id } satisfies DeletedReply) : answer(c, member, outcome);
}

function answer(c: C, member: Member, outcome: UserOutcome): Response {
  switch (outcome.kind) {
    case 'done':
      return c.json(userItem(outcome.user, member));
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Account not found');
    case 'last-owner':
      return apiError(c, 409, 'conflict', 'Somebody has to stay an owner. Make another owner first.');
  }
}
