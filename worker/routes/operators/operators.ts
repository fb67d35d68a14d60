import {
  EnrolmentBody,
  EnrolmentOptionsBody,
  InvitedOperator,
  OperatorMe,
  Operators,
  PasskeyBody,
  PasskeyOptions,
} from '#shared/contracts/operators/operator';
import { listOpenCodes, listOperators } from '#worker/data/operators/operators';
import type { Deps } from '#worker/deps';
import { enrol, inviteOperator, removeOperator, requestNewPasskey, withdrawCode } from '#worker/domain/operators/enrol';
import { endOperatorSession } from '#worker/domain/operators/session';
import { proveOperator, requestPasskey, requestProof, signIn } from '#worker/domain/operators/sign-in';
import {
  clearOperatorSession,
  setOperatorChallenge,
  setOperatorSession,
  takeOperatorChallenge,
} from '#worker/http/cookies/cookies';
import { refuseInvalid, refuseTooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type C, noBody, type OperatorRequest, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes that list, invite and remove operators. */
export const operatorRoutes: Routes = {
  'GET /api/operator/operators': route({
    access: 'operator',
    summary: 'List operators and open invitations',
    answers: { 200: Operators },
    handle: getOperators,
  }),
  'POST /api/operator/operators/invitations': route({
    access: 'operator who just showed the passkey',
    summary: 'Invite an operator',
    answers: { 201: InvitedOperator },
    handle: postInvitation,
  }),
  'DELETE /api/operator/operators/invitations/:id': route({
    access: 'operator who just showed the passkey',
    summary: 'Withdraw an unused invitation of an operator',
    answers: { 204: noBody },
    errors: [409],
    handle: deleteInvitation,
  }),
  'DELETE /api/operator/operators/:id': route({
    access: 'operator who just showed the passkey',
    summary: 'Remove an operator',
    answers: { 204: noBody },
    errors: [409],
    handle: deleteOperator,
  }),
};

const toIso = (at: number) => new Date(at).toISOString();

async function getOperators({
  c,
  deps: { installation, now },
  operator: { operatorId },
}: OperatorRequest): Promise<Response> {
  const [operators, codes] = await Promise.all([listOperators(installation), listOpenCodes(installation, now())]);
  const names = new Map(operators.map(({ id, name }) => [id, name]));
  return c.json({
    operators: operators.map(({ id, name, createdAt, lastSeenAt }) => ({
      id,
      name,
      created_at: toIso(createdAt),
      is_you: id === operatorId,
      last_seen_at: lastSeenAt === null ? null : toIso(lastSeenAt),
    })),
    codes: codes.map(({ id, invitedBy, endsAt }) => ({
      id,
      by: names.get(invitedBy) ?? '',
      ends_at: toIso(endsAt ?? 0),
    })),
  } satisfies Operators);
}

async function postInvitation({ c, deps, operator }: OperatorRequest): Promise<Response> {
  const { code, endsAt } = await inviteOperator(deps, operator);
  return c.json({ code, ends_at: toIso(endsAt) } satisfies InvitedOperator, 201);
}

async function deleteInvitation({ c, deps }: OperatorRequest): Promise<Response> {
  if (await withdrawCode(deps, c.req.param('id') ?? '')) return c.body(null, 204);
  return apiError(c, 409, 'conflict', 'This code was used already, or has expired.');
}

async function deleteOperator({ c, deps }: OperatorRequest): Promise<Response> {
  if (await removeOperator(deps, c.req.param('id') ?? '')) return c.body(null, 204);
  return apiError(c, 409, 'conflict', 'This operator is gone already, or is the only one.');
}

/** Routes for enrolment by a code, sign-in by a passkey, and a repeated passkey check before changes. */
export const operatorSignInRoutes: Routes = {
  'POST /api/operator/enrolment/options': route({
    access: 'anyone',
    summary: 'Start enrolling as an operator',
    body: EnrolmentOptionsBody,
    answers: { 200: PasskeyOptions },
    errors: [429],
    actor: 'operator',
    handle: postEnrolmentOptions,
  }),
  'POST /api/operator/enrolment': route({
    access: 'anyone',
    summary: 'Enroll as an operator with a passkey',
    body: EnrolmentBody,
    answers: { 201: OperatorMe },
    errors: [401],
    actor: 'operator',
    handle: postEnrolment,
  }),
  'POST /api/operator/session/options': route({
    access: 'anyone',
    summary: 'Start an operator login',
    answers: { 200: PasskeyOptions },
    handle: postSessionOptions,
  }),
  'POST /api/operator/session': route({
    access: 'anyone',
    summary: 'Log in as an operator',
    body: PasskeyBody,
    answers: { 204: noBody },
    errors: [401, 429],
    actor: 'operator',
    handle: postSession,
  }),
  'DELETE /api/operator/session': route({
    access: 'operator',
    summary: 'Log out as an operator',
    answers: { 204: noBody },
    handle: deleteSession,
  }),
  'GET /api/operator/me': route({
    access: 'operator',
    summary: 'Show the operator who is logged in',
    answers: { 200: OperatorMe },
    handle: getMe,
  }),
  'POST /api/operator/proof/options': route({
    access: 'operator',
    summary: 'Start confirming your identity as an operator',
    answers: { 200: PasskeyOptions },
    handle: postProofOptions,
  }),
  'POST /api/operator/proof': route({
    access: 'operator',
    summary: 'Confirm your identity as an operator',
    body: PasskeyBody,
    answers: { 204: noBody },
    handle: postProof,
  }),
};

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

const refusePasskey = (c: C) => apiError(c, 401, 'unauthorized', 'This passkey was not accepted. Please try again.');
const refuseCode = (c: C) => refuseInvalid(c, { code: 'This code is not valid. Codes work once.' });

function challengeReply(
  c: C,
  deps: Deps,
  { options, challengeToken }: { options: object; challengeToken: string },
): Response {
  setOperatorChallenge(c, deps, challengeToken);
  return c.json({ options } satisfies PasskeyOptions);
}

async function postEnrolmentOptions({ c, deps, body }: PublicRequest<typeof EnrolmentOptionsBody>): Promise<Response> {
  const outcome = await requestNewPasskey(deps, body, callerOf(c));
  switch (outcome.kind) {
    case 'asked':
      return challengeReply(c, deps, outcome);
    case 'wrong-code':
      return refuseCode(c);
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function postEnrolment({ c, deps, body }: PublicRequest<typeof EnrolmentBody>): Promise<Response> {
  const outcome = await enrol(deps, body, takeOperatorChallenge(c, deps));
  switch (outcome.kind) {
    case 'enrolled':
      setOperatorSession(c, deps, outcome.token);
      return c.json({ id: outcome.operatorId, name: body.name } satisfies OperatorMe, 201);
    case 'wrong-code':
      return refuseCode(c);
    case 'wrong':
      return refusePasskey(c);
  }
}

async function postSessionOptions({ c, deps }: PublicRequest): Promise<Response> {
  return challengeReply(c, deps, await requestPasskey(deps));
}

async function postSession({ c, deps, body }: PublicRequest<typeof PasskeyBody>): Promise<Response> {
  const answer = { credential: body.credential, challengeToken: takeOperatorChallenge(c, deps) };
  const outcome = await signIn(deps, answer, callerOf(c));
  switch (outcome.kind) {
    case 'signed-in':
      setOperatorSession(c, deps, outcome.token);
      return c.body(null, 204);
    case 'wrong':
      return refusePasskey(c);
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

function getMe({ c, operator: { operatorId, name } }: OperatorRequest): Response | Promise<Response> {
  return c.json({ id: operatorId, name } satisfies OperatorMe);
}

async function deleteSession({ c, deps, operator }: OperatorRequest): Promise<Response> {
  await endOperatorSession(deps, operator);
  clearOperatorSession(c, deps);
  return c.body(null, 204);
}

async function postProofOptions({ c, deps, operator }: OperatorRequest): Promise<Response> {
  return challengeReply(c, deps, await requestProof(deps, operator));
}

async function postProof({ c, deps, operator, body }: OperatorRequest<typeof PasskeyBody>): Promise<Response> {
  const answer = { credential: body.credential, challengeToken: takeOperatorChallenge(c, deps) };
  // The status is not 401, because the session is valid and only this proof is not.
  if (!(await proveOperator(deps, operator, answer)))
    return apiError(c, 403, 'proof-needed', 'This passkey was not accepted. Please try again.');
  return c.body(null, 204);
}
