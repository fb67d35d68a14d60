import * as z from 'zod/mini';
import { InvitationReply, LoginReply, MeReply, type RegisterReply } from '#shared/contracts/content/content';
import {
  ForgotBody,
  InvitationBody,
  LoginBody,
  PasswordBody,
  RegisterBody,
  ResetBody,
} from '#shared/contracts/content/content-request';
import { SecondFactorRequired } from '#shared/contracts/content/second-factor-reply';
import { Email } from '#shared/contracts/person-request';
import { passwordProblem } from '#shared/password-rule';
import { logInContent } from '#worker/domain/content/accounts/log-in';
import { readInvitation } from '#worker/domain/content/accounts/manage-users';
import { changePassword, isGuessable, mailResetLink, resetPassword } from '#worker/domain/content/accounts/password';
import { register } from '#worker/domain/content/accounts/register';
import { needsPasskey } from '#worker/domain/content/accounts/second-factor';
import { endContentSession, memberOf, renewContentSession } from '#worker/domain/content/accounts/session';
import { sendMail } from '#worker/domain/mail/send';
import {
  clearContentSession,
  contentDeviceOf,
  contentRefreshTokenOf,
  setContentDevice,
  setContentPass,
  setPasskeyChallenge,
} from '#worker/http/cookies/cookies';
import { bearerOf, refuseUnauthorized } from '#worker/http/guards/require-merchant';
import { refuseInvalid, refuseTooMany } from '#worker/http/read/json';
import { presentUser, startSession } from '#worker/http/reply/content-login';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type MemberRequest, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for login, registration, session and password reset of the content area. */
export const authRoutes: Routes = {
  'POST /api/auth/login': route({
    access: 'anyone',
    summary: 'Log in to the content area',
    body: LoginBody,
    bodyLimit: 10_000,
    answers: { 200: LoginReply, 202: SecondFactorRequired },
    errors: [401, 429],
    actor: 'content',
    handle: logIn,
  }),
  'POST /api/auth/register': route({
    access: 'anyone',
    summary: 'Register a content account',
    body: RegisterBody,
    bodyLimit: 10_000,
    answers: { 201: LoginReply },
    errors: [410, 429],
    actor: 'content',
    handle: postRegistration,
  }),
  'GET /api/auth/me': route({
    access: 'content account, even a waiting one',
    summary: 'Show your content account',
    answers: { 200: MeReply },
    handle: getMe,
  }),
  'POST /api/auth/refresh': route({
    access: 'holder of the refresh cookie',
    summary: 'Renew a session in the content area',
    answers: { 200: LoginReply },
    errors: [401],
    handle: refresh,
  }),
  'POST /api/auth/logout': route({
    access: 'anyone',
    summary: 'Log out of the content area',
    answers: { 204: noBody },
    actor: 'content',
    handle: logOut,
  }),
  'POST /api/auth/forgot': route({
    access: 'anyone',
    summary: 'Request a password reset email',
    body: ForgotBody,
    bodyLimit: 10_000,
    answers: { 202: z.object({}) },
    actor: 'content',
    handle: postResetRequest,
  }),
  'POST /api/auth/reset': route({
    access: 'anyone',
    summary: 'Reset a forgotten password',
    body: ResetBody,
    bodyLimit: 10_000,
    answers: { 204: noBody },
    errors: [410, 429],
    actor: 'content',
    handle: postReset,
  }),
  'PUT /api/auth/password': route({
    access: 'editor',
    summary: 'Change your password',
    body: PasswordBody,
    bodyLimit: 10_000,
    answers: { 204: noBody },
    errors: [409, 429],
    handle: putPassword,
  }),
  'POST /api/auth/invitation': route({
    access: 'anyone',
    summary: 'Show an invitation to the content area',
    body: InvitationBody,
    bodyLimit: 10_000,
    answers: { 200: InvitationReply },
    errors: [410],
    handle: postInvitation,
  }),
};

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

async function logIn({ c, deps, body }: PublicRequest<typeof LoginBody>): Promise<Response> {
  const email = Email.safeParse(body.email);
  // A malformed address belongs to no account and gets the same response as an unknown address.
  const credentials = { email: email.success ? email.data : body.email, password: body.password };
  const outcome = await logInContent(deps, credentials, { ...callerOf(c), device: contentDeviceOf(c, deps) });
  switch (outcome.kind) {
    case 'logged-in': {
      const { token, user } = outcome.session;
      await startSession(c, deps, outcome.session);
      setContentDevice(c, deps, outcome.device);
      return c.json({ token, user: presentUser(user) } satisfies LoginReply);
    }
    case 'second':
      setPasskeyChallenge(c, deps, outcome.challengeToken);
      return c.json({ second: outcome.options } satisfies SecondFactorRequired, 202);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'Login failed');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function postRegistration({ c, deps, body }: PublicRequest<typeof RegisterBody>): Promise<Response> {
  const { name, email, password, confirmPassword, setupCode, invitation } = body;
  const problem = passwordProblem(password, isGuessable(email, name));
  if (problem || typeof password !== 'string') return refuseInvalid(c, { password: problem ?? '' });
  if (confirmPassword !== undefined && confirmPassword !== password)
    return refuseInvalid(c, { confirmPassword: 'Passwords do not match' });
  const outcome = await register(deps, { name, email, password }, { setupCode, invitation }, callerOf(c));
  switch (outcome.kind) {
    case 'registered': {
      if (outcome.mailId) runToCompletion(c, sendMail(deps, outcome.mailId));
      const { token, user } = outcome.session;
      await startSession(c, deps, outcome.session);
      return c.json({ token, user: presentUser(user) } satisfies RegisterReply, 201);
    }
    case 'wrong-code':
      return refuseInvalid(c, { setupCode: 'This set-up code is not valid.' });
    case 'other-address':
      return refuseInvalid(c, { email: 'This invitation is for another address.' });
    case 'invitation-over':
      return apiError(c, 410, 'link-ended', 'This invitation is no longer valid. Please ask for a new one.');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function getMe({ c, deps }: PublicRequest): Promise<Response> {
  const bearer = bearerOf(c);
  const member = bearer && (await memberOf(deps, bearer));
  if (!member) return refuseUnauthorized(c);
  setContentPass(c, deps, bearer);
  const user = { ...presentUser(member.user), ...(needsPasskey(deps, member) ? { needsPasskey: true } : {}) };
  return c.json({ user } satisfies MeReply);
}

async function refresh({ c, deps }: PublicRequest): Promise<Response> {
  const refreshToken = contentRefreshTokenOf(c, deps);
  const renewal = refreshToken ? await renewContentSession(deps, refreshToken) : null;
  if (!renewal) {
    clearContentSession(c, deps);
    return refuseUnauthorized(c);
  }
  setContentPass(c, deps, renewal.token);
  return c.json({ token: renewal.token, user: presentUser(renewal.user) } satisfies LoginReply);
}

async function logOut({ c, deps }: PublicRequest): Promise<Response> {
  const bearer = bearerOf(c);
  const refreshToken = contentRefreshTokenOf(c, deps);
  const members = [
    bearer ? await memberOf(deps, bearer) : null,
    refreshToken ? await renewContentSession(deps, refreshToken) : null,
  ];
  for (const member of members) if (member) await endContentSession(deps, member);
  clearContentSession(c, deps);
  return c.body(null, 204);
}

async function postResetRequest({ c, deps, body }: PublicRequest<typeof ForgotBody>): Promise<Response> {
  runToCompletion(c, mailResetLink(deps, body.email, callerOf(c)));
  return c.json({}, 202);
}

async function postReset({ c, deps, body }: PublicRequest<typeof ResetBody>): Promise<Response> {
  const outcome = await resetPassword(deps, body.reset, body.password, callerOf(c));
  switch (outcome.kind) {
    case 'reset':
      clearContentSession(c, deps);
      return c.body(null, 204);
    case 'refused':
      return refuseInvalid(c, { password: outcome.problem });
    case 'over':
      return apiError(c, 410, 'link-ended', 'This link is no longer valid. Please ask for a new one.');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function putPassword({ c, deps, member, body }: MemberRequest<typeof PasswordBody>): Promise<Response> {
  const outcome = await changePassword(deps, member, body.current, body.password);
  switch (outcome.kind) {
    case 'changed':
      return c.body(null, 204);
    case 'wrong':
      return refuseInvalid(c, { current: 'This is not your current password.' });
    case 'refused':
      return refuseInvalid(c, { password: outcome.problem });
    case 'overtaken':
      return apiError(c, 409, 'conflict', 'Your password was changed meanwhile. Please log in again.');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function postInvitation({ c, deps, body }: PublicRequest<typeof InvitationBody>): Promise<Response> {
  const invitation = await readInvitation(deps, body.invitation);
  if (!invitation)
    return apiError(c, 410, 'link-ended', 'This invitation is no longer valid. Please ask for a new one.');
  const { email, role, endsAt } = invitation;
  return c.json({ email, role, endsAt: new Date(endsAt).toISOString() } satisfies InvitationReply);
}
