import type { Context } from 'hono';
import type {
  ContentUser,
  InvitationReply,
  LoginReply,
  MeReply,
  RegisterReply,
} from '#shared/contracts/content/content';
import {
  ForgotBody,
  InvitationBody,
  LoginBody,
  PasswordBody,
  RegisterBody,
  ResetBody,
} from '#shared/contracts/content/content-request';
import type { SecondAsked } from '#shared/contracts/content/second-factor-reply';
import { Email } from '#shared/contracts/person-request';
import { passwordProblem } from '#shared/password-rule';
import type { ContentUserRow } from '#worker/data/content/accounts/accounts';
import type { Deps, Env } from '#worker/deps';
import { changePassword } from '#worker/domain/content/accounts/change-password';
import { isGuessable } from '#worker/domain/content/accounts/common-passwords';
import { readInvitation } from '#worker/domain/content/accounts/invite';
import { logInContent } from '#worker/domain/content/accounts/log-in';
import { register } from '#worker/domain/content/accounts/register';
import { mailReset, resetPassword } from '#worker/domain/content/accounts/reset-password';
import { needsPasskey } from '#worker/domain/content/accounts/second-factor';
import {
  type ContentSession,
  endContentSession,
  endReplacedSession,
  type Member,
  memberOf,
  renewContentSession,
} from '#worker/domain/content/accounts/session';
import { sendMail } from '#worker/domain/mail/send';
import { actingAs } from '#worker/http/acting';
import {
  clearContentSession,
  contentRefreshTokenOf,
  deviceOf,
  setContentSession,
  setDevice,
  setPass,
} from '#worker/http/cookies/content-cookies';
import { setAsked } from '#worker/http/cookies/session-cookies';
import { memberOnly } from '#worker/http/guards/require-editor';
import { bearerOf, unauthorized } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { invalid, readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

const MAX_BODY_BYTES = 10_000;

/** Login, registration, session and password reset of the content area. */
/** Who acts is known once the password, the code or the link has been looked at. */
const NOBODY = { kind: 'content', id: '', sessionId: '' } as const;

export function authRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/auth/*',
    limitBody(MAX_BODY_BYTES, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  const acting = (c: C) => actingAs(c, depsOf(c), NOBODY);
  route(app, '/api/auth/login', { POST: async (c) => logIn(c, await acting(c)) });
  route(app, '/api/auth/register', { POST: async (c) => postRegistration(c, await acting(c)) });
  route(app, '/api/auth/me', { GET: (c) => getMe(c, depsOf(c)) });
  route(app, '/api/auth/refresh', { POST: (c) => refresh(c, depsOf(c)) });
  route(app, '/api/auth/logout', { POST: async (c) => logOut(c, await acting(c)) });
  route(app, '/api/auth/forgot', { POST: async (c) => forgot(c, await acting(c)) });
  route(app, '/api/auth/reset', { POST: async (c) => reset(c, await acting(c)) });
  route(app, '/api/auth/password', { PUT: memberOnly(depsOf, putPassword) });
  route(app, '/api/auth/invitation', { POST: (c) => postInvitation(c, depsOf(c)) });
}

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

/** The public fields of an account; a decoy shows those that a new account would have. */
export const presentUser = ({ name, email, role, status }: ContentUserRow): ContentUser => ({
  name,
  email,
  role,
  status: status === 'active' ? 'active' : 'pending',
});

/** The new session takes the place of the one that this browser had. */
async function startSession(c: C, deps: Deps, { token, refreshToken }: ContentSession): Promise<void> {
  await endReplacedSession(deps, contentRefreshTokenOf(c, deps));
  setContentSession(c, deps, refreshToken);
  setPass(c, deps, token);
}

/** The answer to a login that is done. */
export async function answerLogin(c: C, deps: Deps, session: ContentSession): Promise<Response> {
  await startSession(c, deps, session);
  return c.json({ token: session.token, user: presentUser(session.user) } satisfies LoginReply);
}

async function logIn(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, LoginBody);
  if ('refusal' in body) return body.refusal;
  const email = Email.safeParse(body.data.email);
  // A malformed address belongs to no account, and gets the answer of any unknown address.
  const credentials = { email: email.success ? email.data : body.data.email, password: body.data.password };
  const outcome = await logInContent(deps, credentials, { ...callerOf(c), device: deviceOf(c, deps) });
  switch (outcome.kind) {
    case 'logged-in': {
      const { token, user } = outcome.session;
      await startSession(c, deps, outcome.session);
      setDevice(c, deps, outcome.device);
      return c.json({ token, user: presentUser(user) } satisfies LoginReply);
    }
    case 'second':
      setAsked(c, deps, outcome.asked);
      return c.json({ second: outcome.options } satisfies SecondAsked, 202);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'Login failed');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function postRegistration(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, RegisterBody);
  if ('refusal' in body) return body.refusal;
  const { name, email, password, confirmPassword, setupCode, invitation } = body.data;
  const problem = passwordProblem(password, isGuessable(email, name));
  if (problem || typeof password !== 'string') return invalid(c, { password: problem ?? '' });
  if (confirmPassword !== undefined && confirmPassword !== password)
    return invalid(c, { confirmPassword: 'Passwords do not match' });
  const outcome = await register(deps, { name, email, password }, { setupCode, invitation }, callerOf(c));
  switch (outcome.kind) {
    case 'registered': {
      if (outcome.mailId) runToCompletion(c, sendMail(deps, outcome.mailId));
      const { token, user } = outcome.session;
      await startSession(c, deps, outcome.session);
      return c.json({ token, user: presentUser(user) } satisfies RegisterReply, 201);
    }
    case 'wrong-code':
      return invalid(c, { setupCode: 'This set-up code is not valid.' });
    case 'other-address':
      return invalid(c, { email: 'This invitation is for another address.' });
    case 'invitation-over':
      return apiError(c, 410, 'link-ended', 'This invitation is no longer valid. Please ask for a new one.');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function getMe(c: C, deps: Deps): Promise<Response> {
  const bearer = bearerOf(c);
  const member = bearer && (await memberOf(deps, bearer));
  if (!member) return unauthorized(c);
  setPass(c, deps, bearer);
  const user = { ...presentUser(member.user), ...(needsPasskey(deps, member) ? { needsPasskey: true } : {}) };
  return c.json({ user } satisfies MeReply);
}

async function refresh(c: C, deps: Deps): Promise<Response> {
  const refreshToken = contentRefreshTokenOf(c, deps);
  const renewed = refreshToken ? await renewContentSession(deps, refreshToken) : null;
  if (!renewed) {
    clearContentSession(c, deps);
    return unauthorized(c);
  }
  setPass(c, deps, renewed.token);
  return c.json({ token: renewed.token, user: presentUser(renewed.user) } satisfies LoginReply);
}

async function logOut(c: C, deps: Deps): Promise<Response> {
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

async function forgot(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, ForgotBody);
  if ('refusal' in body) return body.refusal;
  runToCompletion(c, mailReset(deps, body.data.email, callerOf(c)));
  return c.json({}, 202);
}

async function reset(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, ResetBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await resetPassword(deps, body.data.reset, body.data.password, callerOf(c));
  switch (outcome.kind) {
    case 'reset':
      clearContentSession(c, deps);
      return c.body(null, 204);
    case 'refused':
      return invalid(c, { password: outcome.problem });
    case 'over':
      return apiError(c, 410, 'link-ended', 'This link is no longer valid. Please ask for a new one.');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function putPassword(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, PasswordBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await changePassword(deps, member, body.data.current, body.data.password);
  switch (outcome.kind) {
    case 'changed':
      return c.body(null, 204);
    case 'wrong':
      return invalid(c, { current: 'This is not your present password.' });
    case 'refused':
      return invalid(c, { password: outcome.problem });
    case 'overtaken':
      return apiError(c, 409, 'conflict', 'Your password was changed meanwhile. Please log in again.');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function postInvitation(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, InvitationBody);
  if ('refusal' in body) return body.refusal;
  const found = await readInvitation(deps, body.data.invitation);
  if (!found) return apiError(c, 410, 'link-ended', 'This invitation is no longer valid. Please ask for a new one.');
  const { email, role, endsAt } = found;
  return c.json({ email, role, endsAt: new Date(endsAt).toISOString() } satisfies InvitationReply);
}
