import { StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import { PasskeyLoginBody } from '#shared/contracts/staff/proof-request';
import { ChooseClinic } from '#shared/contracts/staff/team';
import { CodeLoginBody, LoginCodeBody } from '#shared/contracts/staff/team-request';
import { CODE_LIFETIME_MS, logInByCode, requestCode } from '#worker/domain/clinics/code-login';
import { sendMail } from '#worker/domain/mail/send';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { logInByPasskey, requestLogin } from '#worker/domain/proofs/staff-passkey';
import { withActor } from '#worker/http/actor-deps';
import {
  clearLoginCode,
  loginCodeOf,
  refreshTokenOf,
  setLoginCode,
  setPasskeyChallenge,
  setSession,
  takePasskeyChallenge,
} from '#worker/http/cookies/cookies';
import { browserOf } from '#worker/http/read/browser';
import { refuseTooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** The actor is unknown until the code or the passkey is checked. */
const UNKNOWN_ACTOR = { kind: 'user', id: '', sessionId: '' } as const;

/** Routes for staff login without the CRM, by an emailed code. */
export const codeLoginRoutes: Routes = {
  'POST /api/session': route({
    access: 'anyone',
    summary: 'Log in with an emailed code',
    body: CodeLoginBody,
    answers: { 200: ChooseClinic, 204: noBody },
    errors: [401, 429],
    handle: postSession,
  }),
  'POST /api/session/code': route({
    access: 'anyone',
    summary: 'Request a login code by email',
    body: LoginCodeBody,
    answers: { 202: noBody },
    errors: [429],
    handle: postCode,
  }),
};

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

async function postCode({ c, deps, body }: PublicRequest<typeof LoginCodeBody>): Promise<Response> {
  const request = await requestCode(deps, body.email, callerOf(c));
  if (request.kind === 'too-many') return refuseTooMany(c, request.retryAfterS);
  const sendCode = async () => {
    const mailId = await request.mail();
    if (mailId) await sendMail(deps, mailId);
  };
  runToCompletion(c, sendCode());
  setLoginCode(c, deps, request.browser, CODE_LIFETIME_MS / 1000);
  return c.body(null, 202);
}

async function postSession({ c, deps, body }: PublicRequest<typeof CodeLoginBody>): Promise<Response> {
  const actorDeps = await withActor(c, deps, UNKNOWN_ACTOR);
  const outcome = await logInByCode(actorDeps, body, loginCodeOf(c, deps), callerOf(c), browserOf(c));
  switch (outcome.kind) {
    case 'logged-in':
      clearLoginCode(c, deps);
      await endReplacedSession(deps, refreshTokenOf(c, deps));
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'choose':
      return c.json({ clinics: outcome.clinics } satisfies ChooseClinic);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'This code is wrong or has expired. Please request a new one.');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

/** Routes for staff login without the CRM, by a passkey. */
export const passkeyLoginRoutes: Routes = {
  'POST /api/session/passkey/options': route({
    access: 'anyone',
    summary: 'Start a login with a passkey',
    answers: { 200: StaffPasskeyOptions },
    handle: postOptions,
  }),
  'POST /api/session/passkey': route({
    access: 'anyone',
    summary: 'Log in with a passkey',
    body: PasskeyLoginBody,
    answers: { 204: noBody },
    errors: [401, 429],
    handle: postPasskey,
  }),
};

async function postOptions({ c, deps }: PublicRequest): Promise<Response> {
  const { options, challengeToken } = await requestLogin(deps);
  setPasskeyChallenge(c, deps, challengeToken);
  return c.json({ options } satisfies StaffPasskeyOptions);
}

async function postPasskey({ c, deps, body }: PublicRequest<typeof PasskeyLoginBody>): Promise<Response> {
  const actorDeps = await withActor(c, deps, UNKNOWN_ACTOR);
  const answer = { response: body.response, challengeToken: takePasskeyChallenge(c, deps) };
  const caller = { clientIp: c.req.header('cf-connecting-ip') ?? null };
  const outcome = await logInByPasskey(actorDeps, answer, caller, browserOf(c));
  switch (outcome.kind) {
    case 'logged-in':
      await endReplacedSession(deps, refreshTokenOf(c, deps));
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'wrong':
      return apiError(
        c,
        401,
        'unauthorized',
        'This passkey was not accepted. Please try again, or log in another way.',
      );
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}
