import { OwnFactors, OwnPasskey, StaffPasskeyOptions, StepUp } from '#shared/contracts/staff/proof';
import { NewPasskeyBody, NewPinBody } from '#shared/contracts/staff/proof-request';
import { StaffSessions } from '#shared/contracts/staff/team';
import { EndedSessionsReply } from '#shared/contracts/staff/team-request';
import type { Deps } from '#worker/deps';
import type { TooManyTries } from '#worker/domain/content/accounts/rate-limit';
import { sendMail } from '#worker/domain/mail/send';
import { endEverySession, endOwnSession, viewOwnSessions } from '#worker/domain/merchants/session';
import { requestFactorCode } from '#worker/domain/proofs/mailed-code';
import {
  addOwnPasskey,
  type ChangeOutcome,
  type ChangeRefusal,
  removeFactors,
  removeOwnPasskey,
  removeOwnPin,
  requestOwnPasskey,
  setOwnPin,
  viewOwnFactors,
} from '#worker/domain/proofs/own-factors';
import { clearSession, refreshTokenOf, setPasskeyChallenge, takePasskeyChallenge } from '#worker/http/cookies/cookies';
import { refuseInvalid, refuseTooMany } from '#worker/http/read/json';
import { apiError, replyStepUpNeeded } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, noBody, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for a user's own authentication factors: passkeys and PIN. */
export const ownFactorRoutes: Routes = {
  'GET /api/session/factors': route({
    access: 'staff',
    summary: 'Show your passkeys and PIN status',
    answers: { 200: OwnFactors },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewOwnFactors(deps, caller)),
  }),
  'POST /api/session/factors/code': route({
    access: 'staff',
    summary: 'Request an emailed code to set up a first passkey or PIN',
    answers: { 202: noBody },
    errors: [409, 429],
    handle: postCode,
  }),
  'POST /api/session/passkeys/options': route({
    access: 'staff',
    summary: 'Start adding a passkey',
    answers: { 200: StaffPasskeyOptions },
    errors: [409, 422],
    errorFields: { 403: StepUp },
    handle: postPasskeyOptions,
  }),
  'POST /api/session/passkeys': route({
    access: 'staff',
    summary: 'Add a passkey',
    body: NewPasskeyBody,
    answers: { 201: OwnPasskey },
    errors: [409],
    errorFields: { 403: StepUp },
    handle: postPasskey,
  }),
  'DELETE /api/session/passkeys/:id': route({
    access: 'staff',
    summary: 'Remove a passkey',
    answers: { 204: noBody },
    errors: [422, 429],
    errorFields: { 403: StepUp },
    handle: deletePasskey,
  }),
  'PUT /api/session/pin': route({
    access: 'staff',
    summary: 'Set your PIN',
    body: NewPinBody,
    answers: { 204: noBody },
    errors: [429],
    errorFields: { 403: StepUp },
    handle: putPin,
  }),
  'DELETE /api/session/pin': route({
    access: 'staff',
    summary: 'Remove your PIN',
    answers: { 204: noBody },
    errors: [422, 429],
    errorFields: { 403: StepUp },
    handle: deletePin,
  }),
  'DELETE /api/team/:id/factors': route({
    access: 'staff: administer',
    summary: 'Reset the passkeys and PIN of a team member',
    stepUp: true,
    answers: { 204: noBody },
    handle: deleteFactors,
  }),
};

/** A code is valid only in the browser that requested it, so a caller without the cookie is refused. */
const refuseOtherBrowser = (c: C) =>
  apiError(c, 409, 'conflict', 'Please do this in the browser in which you are logged in.');

function refuseChange(c: C, outcome: ChangeRefusal): Response {
  return outcome.kind === 'step-up-needed'
    ? replyStepUpNeeded(c, outcome.ways)
    : refuseInvalid(c, { code: 'This code is wrong or has expired. Please request a new one.' });
}

const refusePasskey = (c: C) => apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');

async function postCode({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const refreshToken = refreshTokenOf(c, deps);
  if (!refreshToken) return refuseOtherBrowser(c);
  const outcome = await requestFactorCode(deps, caller, refreshToken);
  switch (outcome.kind) {
    case 'asked':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.body(null, 202);
    case 'no-address':
      return apiError(
        c,
        409,
        'conflict',
        'There is no email address for you. Ask an administrator to invite you again.',
      );
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function postPasskeyOptions({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const outcome = await requestOwnPasskey(deps, caller);
  switch (outcome.kind) {
    case 'asked':
      setPasskeyChallenge(c, deps, outcome.challengeToken);
      return c.json({ options: outcome.options } satisfies StaffPasskeyOptions);
    case 'wrong':
      return refusePasskey(c);
    default:
      return refuseChange(c, outcome);
  }
}

async function postPasskey({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof NewPasskeyBody>): Promise<Response> {
  const { label, response, code } = body;
  const codeProof = { code, refreshToken: refreshTokenOf(c, deps) ?? '' };
  const outcome = await addOwnPasskey(
    deps,
    caller,
    { label, response, challengeToken: takePasskeyChallenge(c, deps) },
    codeProof,
  );
  switch (outcome.kind) {
    case 'added':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.json(outcome.passkey, 201);
    case 'wrong':
      return refusePasskey(c);
    default:
      return refuseChange(c, outcome);
  }
}

async function putPin({ c, deps, merchant: caller, body }: StaffRequest<typeof NewPinBody>): Promise<Response> {
  const codeProof = { code: body.code, refreshToken: refreshTokenOf(c, deps) ?? '' };
  return changeReply(c, deps, await setOwnPin(deps, caller, body.pin, codeProof));
}

async function deletePasskey({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  return changeReply(c, deps, await removeOwnPasskey(deps, caller, c.req.param('id') ?? ''));
}

async function deletePin({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  return changeReply(c, deps, await removeOwnPin(deps, caller));
}

function changeReply(c: C, deps: Deps, outcome: ChangeOutcome | TooManyTries): Response {
  switch (outcome.kind) {
    case 'done':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.body(null, 204);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'You have no passkey or PIN with this id.');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
    default:
      return refuseChange(c, outcome);
  }
}

async function deleteFactors({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const removed = /^[1-9]\d{0,14}$/.test(id) ? await removeFactors(deps, caller, Number(id)) : null;
  if (!removed) return apiError(c, 404, 'not-found', 'No one in this team with this id has a passkey or a PIN.');
  runToCompletion(c, sendMail(deps, removed.mailId));
  return c.body(null, 204);
}

/** Routes that list and end a user's own sessions. */
export const ownSessionRoutes: Routes = {
  'GET /api/sessions': route({
    access: 'staff',
    summary: 'List your sessions',
    answers: { 200: StaffSessions },
    handle: getSessions,
  }),
  'DELETE /api/sessions': route({
    access: 'staff',
    summary: 'End all your sessions',
    answers: { 200: EndedSessionsReply },
    handle: deleteSessions,
  }),
  'DELETE /api/sessions/:id': route({
    access: 'staff',
    summary: 'End one of your sessions',
    answers: { 200: EndedSessionsReply },
    handle: deleteSession,
  }),
};

async function getSessions({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  return c.json({ sessions: await viewOwnSessions(deps, caller) } satisfies StaffSessions);
}

async function deleteSessions({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const ended = await endEverySession(deps, caller);
  clearSession(c, deps);
  return c.json({ ended } satisfies EndedSessionsReply);
}

async function deleteSession({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  if (!(await endOwnSession(deps, caller, id)))
    return apiError(c, 404, 'not-found', 'You have no session with this id.');
  if (id === caller.sessionId) clearSession(c, deps);
  return c.json({ ended: 1 } satisfies EndedSessionsReply);
}
