import type { Context } from 'hono';
import { SecondPersonBody } from '#shared/contracts/proof-request';
import type { RefundLimitReply, RemovedReply } from '#shared/contracts/team-answers';
import { InviteStaffBody, MemberBody, RefundLimitBody } from '#shared/contracts/team-request';
import { decimalFromCents } from '#shared/money';
import type { Deps, Env } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { inviteStaff } from '#worker/domain/merchants/invite';
import type { Merchant } from '#worker/domain/merchants/session';
import {
  changeStaff,
  type MemberOutcome,
  presentInvitation,
  presentMember,
  removeStaff,
  setRefundLimit,
  setSecondPerson,
  takeBackStaffInvitation,
  viewTeam,
} from '#worker/domain/merchants/team';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { invalid, readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Who may come in to a clinic, and with which rights. */
export function teamRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  app.use('/api/team/*', limit);
  route(app, '/api/team', { GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewTeam(deps, you))) });
  route(app, '/api/team/invitations', { POST: merchantOnly(depsOf, postInvitation) });
  route(app, '/api/team/refund-limit', { PUT: merchantOnly(depsOf, putRefundLimit) });
  route(app, '/api/team/second-person', { PUT: merchantOnly(depsOf, putSecondPerson) });
  route(app, '/api/team/:id', { PATCH: merchantOnly(depsOf, patchMember), DELETE: merchantOnly(depsOf, deleteOne) });
}

const forbidden = (c: C) => apiError(c, 403, 'forbidden', 'Only an administrator of this account may do this.');
const notFound = (c: C) => apiError(c, 404, 'not-found', 'There is no such person in this team.');

/** The member whom the address names; null: an invitation, or nobody. */
function memberIn(c: C): number | null {
  const id = c.req.param('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

async function postInvitation(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, InviteStaffBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await inviteStaff(deps, you.accountId, you, body.data);
  switch (outcome.kind) {
    case 'invited':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.json(presentInvitation(outcome.invitation, outcome.invitedBy), 201);
    case 'is-member':
      return invalid(c, { email: 'This person is in the team already.' });
    case 'too-many':
      return apiError(c, 409, 'conflict', 'Too many invitations are open. Take some back first.');
    case 'forbidden':
      return forbidden(c);
  }
}

async function patchMember(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, MemberBody);
  if ('refusal' in body) return body.refusal;
  const userId = memberIn(c);
  if (userId === null) return notFound(c);
  const { role, name, is_confirmed } = body.data;
  const outcome = await changeStaff(deps, you, userId, {
    ...(role === undefined ? {} : { role }),
    ...(name === undefined ? {} : { name }),
    ...(is_confirmed === undefined ? {} : { isConfirmed: is_confirmed }),
  });
  return outcome.kind === 'done' ? c.json(presentMember(outcome.member, you)) : refused(c, outcome);
}

async function deleteOne(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const userId = memberIn(c);
  if (userId === null)
    return (await takeBackStaffInvitation(deps, you, id)) ? c.json({ id } satisfies RemovedReply) : notFound(c);
  const outcome = await removeStaff(deps, you, userId);
  if (outcome.kind !== 'removed') return refused(c, outcome);
  runToCompletion(c, sendMail(deps, outcome.mailId));
  return c.json({ id } satisfies RemovedReply);
}

function refused(c: C, { kind }: Exclude<MemberOutcome, { kind: 'done' }>): Response {
  switch (kind) {
    case 'not-found':
      return notFound(c);
    case 'last-admin':
      return apiError(c, 409, 'conflict', 'At least one administrator has to stay. Make somebody else one first.');
    case 'forbidden':
      return forbidden(c);
  }
}

async function putRefundLimit(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, RefundLimitBody);
  if ('refusal' in body) return body.refusal;
  const { refund_limit: cents } = body.data;
  if (!(await setRefundLimit(deps, you, cents))) return forbidden(c);
  return c.json({ refund_limit: cents === null ? null : decimalFromCents(cents) } satisfies RefundLimitReply);
}

async function putSecondPerson(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, SecondPersonBody);
  if ('refusal' in body) return body.refusal;
  const set = await setSecondPerson(deps, you, body.data.amount);
  return set ? c.json(set) : forbidden(c);
}
