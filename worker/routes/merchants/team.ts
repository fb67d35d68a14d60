import { SecondPerson } from '#shared/contracts/staff/proof';
import { SecondPersonBody } from '#shared/contracts/staff/proof-request';
import { Invitation, JoinOffer, Member, Team } from '#shared/contracts/staff/team';
import {
  EndedSessionsReply,
  InviteStaffBody,
  MemberBody,
  RefundLimitBody,
  RefundLimitReply,
  RemovedReply,
} from '#shared/contracts/staff/team-request';
import { decimalFromCents } from '#shared/money';
import { sendMail } from '#worker/domain/mail/send';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { inviteStaff, joinTeam, readStaffInvitation } from '#worker/domain/merchants/staff-invitation';
import {
  changeStaff,
  logOutStaff,
  type MemberOutcome,
  presentInvitation,
  presentMember,
  removeStaff,
  revokeStaffInvitation,
  setRefundLimit,
  setSecondPerson,
  viewTeam,
} from '#worker/domain/merchants/team';
import { withActor } from '#worker/http/actor-deps';
import { refreshTokenOf, setSession } from '#worker/http/cookies/cookies';
import { browserOf } from '#worker/http/read/browser';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { sendFilledPage } from '#worker/http/reply/page-template';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import {
  type C,
  htmlPage,
  noBody,
  type PublicRequest,
  type Routes,
  route,
  type StaffRequest,
} from '#worker/http/routes';

/** Routes for the team of a clinic, its roles and its invitations. */
export const teamRoutes: Routes = {
  'GET /api/team': route({
    access: 'staff: administer',
    summary: 'Show the team and its open invitations',
    answers: { 200: Team },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewTeam(deps, caller)),
  }),
  'POST /api/team/invitations': route({
    access: 'staff: administer',
    summary: 'Invite a team member',
    stepUp: true,
    body: InviteStaffBody,
    answers: { 201: Invitation },
    errors: [409],
    handle: postInvitation,
  }),
  'PUT /api/team/refund-limit': route({
    access: 'staff: administer',
    summary: 'Set the refund limit of managers',
    stepUp: true,
    body: RefundLimitBody,
    answers: { 200: RefundLimitReply },
    handle: putRefundLimit,
  }),
  'PUT /api/team/second-person': route({
    access: 'staff: administer',
    summary: 'Set the amount above which refunds need approval',
    stepUp: true,
    body: SecondPersonBody,
    answers: { 200: SecondPerson },
    handle: putSecondPerson,
  }),
  'PATCH /api/team/:id': route({
    access: 'staff: administer',
    summary: 'Update a team member',
    stepUp: true,
    body: MemberBody,
    answers: { 200: Member },
    errors: [409],
    handle: patchMember,
  }),
  'DELETE /api/team/:id': route({
    access: 'staff: administer',
    summary: 'Remove a team member or withdraw an invitation',
    stepUp: true,
    answers: { 200: RemovedReply },
    errors: [409],
    handle: deleteMember,
  }),
  'DELETE /api/team/:id/sessions': route({
    access: 'staff: administer',
    summary: 'End all sessions of a team member',
    stepUp: true,
    answers: { 200: EndedSessionsReply },
    handle: deleteSessions,
  }),
};

const refuseForbidden = (c: C) => apiError(c, 403, 'forbidden', 'Only an administrator of this account may do this.');
const notFound = (c: C) => apiError(c, 404, 'not-found', 'This person is not in the team.');

/** Returns the member id in the path, or null for an invitation or an invalid id. */
function memberIdOf(c: C): number | null {
  const id = c.req.param('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

async function postInvitation({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof InviteStaffBody>): Promise<Response> {
  const outcome = await inviteStaff(deps, caller.accountId, caller, body);
  switch (outcome.kind) {
    case 'invited':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.json(presentInvitation(outcome.invitation, outcome.invitedBy), 201);
    case 'is-member':
      return refuseInvalid(c, { email: 'This person is already in the team.' });
    case 'too-many':
      return apiError(c, 409, 'conflict', 'Too many invitations are open. Cancel some first.');
    case 'forbidden':
      return refuseForbidden(c);
  }
}

async function patchMember({ c, deps, merchant: caller, body }: StaffRequest<typeof MemberBody>): Promise<Response> {
  const userId = memberIdOf(c);
  if (userId === null) return notFound(c);
  const { role, name, is_confirmed } = body;
  const outcome = await changeStaff(deps, caller, userId, {
    ...(role === undefined ? {} : { role }),
    ...(name === undefined ? {} : { name }),
    ...(is_confirmed === undefined ? {} : { isConfirmed: is_confirmed }),
  });
  return outcome.kind === 'done' ? c.json(presentMember(outcome.member, caller)) : refusalReply(c, outcome);
}

async function deleteMember({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const userId = memberIdOf(c);
  if (userId === null)
    return (await revokeStaffInvitation(deps, caller, id)) ? c.json({ id } satisfies RemovedReply) : notFound(c);
  const outcome = await removeStaff(deps, caller, userId);
  if (outcome.kind !== 'removed') return refusalReply(c, outcome);
  runToCompletion(c, sendMail(deps, outcome.mailId));
  return c.json({ id } satisfies RemovedReply);
}

async function deleteSessions({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const userId = memberIdOf(c);
  if (userId === null) return notFound(c);
  const outcome = await logOutStaff(deps, caller, userId);
  return outcome.kind === 'ended'
    ? c.json({ ended: outcome.ended } satisfies EndedSessionsReply)
    : refusalReply(c, outcome);
}

function refusalReply(c: C, { kind }: Exclude<MemberOutcome, { kind: 'done' }>): Response {
  switch (kind) {
    case 'not-found':
      return notFound(c);
    case 'last-admin':
      return apiError(c, 409, 'conflict', 'There must be at least one administrator. Make someone else one first.');
    case 'forbidden':
      return refuseForbidden(c);
  }
}

async function putRefundLimit({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof RefundLimitBody>): Promise<Response> {
  const { refund_limit: cents } = body;
  if (!(await setRefundLimit(deps, caller, cents))) return refuseForbidden(c);
  return c.json({ refund_limit: cents === null ? null : decimalFromCents(cents) } satisfies RefundLimitReply);
}

async function putSecondPerson({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof SecondPersonBody>): Promise<Response> {
  const setting = await setSecondPerson(deps, caller, body.amount);
  return setting ? c.json(setting) : refuseForbidden(c);
}

/** The actor is unknown until the invitation is used. */
const UNKNOWN_ACTOR = { kind: 'user', id: '', sessionId: '' } as const;

/**
 * Routes for staff invitations by emailed link. GET changes nothing, because mail services open links by themselves.
 */
export const joinRoutes: Routes = {
  // The page requests the offer itself, so it is the same for every secret, valid or not.
  'GET /join/:secret': route({
    access: 'anyone',
    summary: 'Open the invitation page of a team',
    answers: { 200: htmlPage },
    handle: ({ c }) => sendFilledPage(c, '/app/join', { texts: {} }),
  }),
  'GET /api/join/:secret': route({
    access: 'holder of an invitation',
    summary: 'Show an invitation to a team',
    answers: { 200: JoinOffer },
    errors: [410],
    handle: getOffer,
  }),
  'POST /api/join/:secret': route({
    access: 'holder of an invitation',
    summary: 'Accept an invitation to a team',
    answers: { 204: noBody },
    errors: [410],
    handle: postJoin,
  }),
};

const secretOf = (c: C) => c.req.param('secret') ?? '';
const endedReply = (c: C) =>
  apiError(c, 410, 'link-ended', 'This invitation was used or has ended. Ask an administrator for a new one.');

async function getOffer({ c, deps }: PublicRequest): Promise<Response> {
  const details = await readStaffInvitation(deps, secretOf(c));
  if (!details) return endedReply(c);
  const { business, email, name, role, invitedBy, endsAt } = details.invitation;
  const offer = { business, email, name, role, invited_by: invitedBy, ends_at: new Date(endsAt).toISOString() };
  return c.json(offer satisfies JoinOffer);
}

async function postJoin({ c, deps }: PublicRequest): Promise<Response> {
  const session = await joinTeam(await withActor(c, deps, UNKNOWN_ACTOR), secretOf(c), browserOf(c));
  if (!session) return endedReply(c);
  await endReplacedSession(deps, refreshTokenOf(c, deps));
  setSession(c, deps, session);
  return c.body(null, 204);
}
