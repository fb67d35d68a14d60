import { DeskPeople, StaffPasskeyOptions, WrongPin } from '#shared/contracts/staff/proof';
import { ProofBody, SwitchBody } from '#shared/contracts/staff/proof-request';
import type { TooManyTries } from '#worker/domain/content/accounts/rate-limit';
import { switchPerson, viewDeskPeople } from '#worker/domain/proofs/pin';
import { provePasskey, provePin, requestProof } from '#worker/domain/proofs/prove';
import { setPasskeyChallenge, setSession, takePasskeyChallenge } from '#worker/http/cookies/cookies';
import { browserOf } from '#worker/http/read/browser';
import { apiError } from '#worker/http/reply/errors';
import { type C, noBody, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for proofs of identity within a session, and for switching users at a desk. */
export const proofRoutes: Routes = {
  'POST /api/session/proof/options': route({
    access: 'staff',
    summary: 'Start confirming your identity with a passkey',
    answers: { 200: StaffPasskeyOptions },
    handle: postOptions,
  }),
  'POST /api/session/proof': route({
    access: 'staff',
    summary: 'Confirm your identity with a passkey or PIN',
    body: ProofBody,
    answers: { 204: noBody },
    errors: [409, 429],
    errorFields: { 422: WrongPin },
    handle: postProof,
  }),
  'GET /api/session/people': route({
    access: 'staff',
    summary: 'List team members who can take over with a PIN',
    answers: { 200: DeskPeople },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewDeskPeople(deps, caller)),
  }),
  'POST /api/session/switch': route({
    access: 'staff',
    summary: 'Switch to another team member with a PIN',
    body: SwitchBody,
    answers: { 204: noBody },
    errors: [409, 429],
    errorFields: { 422: WrongPin },
    handle: postSwitch,
  }),
};

async function postOptions({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const { options, challengeToken } = await requestProof(deps, caller);
  setPasskeyChallenge(c, deps, challengeToken);
  return c.json({ options } satisfies StaffPasskeyOptions);
}

/** Sends 422 instead of 401, because the session remains valid. */
function refuseWrongPin(c: C, triesLeft: number): Response {
  const extra = { tries_left: triesLeft } satisfies WrongPin;
  return apiError(c, 422, 'invalid', 'This PIN is wrong.', { fields: ['pin'], ...extra });
}

function refuseLockedPin(c: C, { retryAfterS }: TooManyTries): Response {
  c.header('retry-after', String(retryAfterS));
  const minutes = Math.ceil(retryAfterS / 60);
  const message = `This PIN is locked for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return apiError(c, 429, 'too-many', message);
}

async function postProof({ c, deps, merchant: caller, body }: StaffRequest<typeof ProofBody>): Promise<Response> {
  if (body.kind === 'passkey') {
    const { response } = body;
    const isProved = await provePasskey(deps, caller, { response, challengeToken: takePasskeyChallenge(c, deps) });
    return isProved
      ? c.body(null, 204)
      : apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');
  }
  const outcome = await provePin(deps, caller, body.pin);
  switch (outcome.kind) {
    case 'right':
      return c.body(null, 204);
    case 'wrong':
      return refuseWrongPin(c, outcome.triesLeft);
    case 'too-many':
      return refuseLockedPin(c, outcome);
  }
}

async function postSwitch({ c, deps, merchant: caller, body }: StaffRequest<typeof SwitchBody>): Promise<Response> {
  const outcome = await switchPerson(deps, caller, { userId: body.id, pin: body.pin }, browserOf(c));
  switch (outcome.kind) {
    case 'switched':
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'wrong':
      return refuseWrongPin(c, outcome.triesLeft);
    case 'too-many':
      return refuseLockedPin(c, outcome);
  }
}
