import * as z from 'zod/mini';
import { AppAddress, RefreshedToken, TokenStatus } from '#shared/contracts/staff/session';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { findSessionUser } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { syncForViewer } from '#worker/domain/crm-sync/sync-accounts';
import { beginLogin, completeLogin } from '#worker/domain/merchants/log-in';
import { endReplacedSession, endSession, merchantOf, renewSession } from '#worker/domain/merchants/session';
import { withActor, withStaffActor } from '#worker/http/actor-deps';
import {
  clearSession,
  refreshTokenOf,
  setAccessToken,
  setLoginState,
  setSession,
  takeLoginState,
} from '#worker/http/cookies/cookies';
import { pageAfterSession, sessionIfAny } from '#worker/http/guards/browser-session';
import { bearerOf, refuseUnauthorized } from '#worker/http/guards/require-merchant';
import { browserOf } from '#worker/http/read/browser';
import { apiError, onError, showOrErrorPage } from '#worker/http/reply/errors';
import { sendFilledPage } from '#worker/http/reply/page-template';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, htmlPage, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for login through the CRM, renewal of the session, and logout. */
export const sessionRoutes: Routes = {
  'GET /app_url': route({
    access: 'anyone',
    summary: 'Show the address of the app',
    answers: { 200: AppAddress },
    handle: ({ c, deps }) => c.json({ appUrl: deps.settings.APP_URL }),
  }),
  'GET /login': route({
    access: 'anyone',
    summary: 'Open the login page',
    query: z.object({ login: z.optional(z.string()) }),
    answers: { 200: htmlPage, 303: noBody },
    handle: getLogin,
  }),
  'GET /oauth/start': route({
    access: 'anyone',
    summary: 'Start a login through the CRM',
    query: z.object({ payments: z.optional(z.string()) }),
    answers: { 303: noBody },
    handle: startLogin,
  }),
  'GET /oauth': route({
    access: 'anyone',
    summary: 'Complete a login through the CRM',
    query: z.object({ code: z.optional(z.string()), state: z.optional(z.string()), error: z.optional(z.string()) }),
    answers: { 303: noBody, 400: htmlPage, 403: htmlPage, 502: htmlPage, 503: htmlPage },
    handle: ({ c, deps }) =>
      showOrErrorPage(
        c,
        () => finishLogin(c, deps),
        () => loginPage(c, 'invalid', 503),
      ),
  }),
  'GET /logout': route({
    access: 'anyone',
    summary: 'Log out',
    answers: { 303: noBody },
    handle: getLogout,
  }),
  'GET /api/token/status/:authToken': route({
    access: 'holder of the token itself',
    summary: 'Show the user and scopes of an access token',
    answers: { 200: TokenStatus },
    errors: [401],
    handle: getStatus,
  }),
  'GET /api/refresh-access-token': route({
    access: 'holder of the refresh cookie',
    summary: 'Renew an access token',
    answers: { 200: RefreshedToken },
    errors: [401, 403],
    handle: refresh,
  }),
};

type LoginState = 'ready' | 'cancelled' | 'ended' | 'invalid' | 'crm-down' | 'missing-scopes' | 'removed';

const loginPage = (c: C, state: LoginState, status: 200 | 400 | 403 | 502 | 503) =>
  sendFilledPage(c, '/login', { texts: {}, state }, { status });

/** States of the login page to which a redirect may lead. */
const REDIRECT_STATES = ['cancelled', 'ended', 'removed'] as const;

async function getLogin({ c, deps }: PublicRequest): Promise<Response> {
  if (await sessionIfAny(c, deps)) return c.redirect('/', 303);
  return loginPage(c, REDIRECT_STATES.find((state) => state === c.req.query('login')) ?? 'ready', 200);
}

async function startLogin({ c, deps }: PublicRequest): Promise<Response> {
  // A login starts with a click on our own page, not with a navigation from another site.
  if (isFromAnotherSite(c)) return c.redirect('/login', 303);
  const { origin } = new URL(c.req.url);
  const { state, authorizeUrl } = await beginLogin(
    deps,
    origin === deps.settings.APP_URL ? '' : origin,
    c.req.query('payments') === 'record',
  );
  setLoginState(c, deps, state);
  return c.redirect(authorizeUrl, 303);
}

const startSync = (deps: Deps, { clinic, accountId }: { clinic: number; accountId: number }) =>
  syncForViewer(depsOfClinic(deps, clinic), accountId);

/** The actor is unknown until the CRM reports it. */
const UNKNOWN_ACTOR = { kind: 'user', id: '', sessionId: '' } as const;

async function finishLogin(c: C, deps: Deps): Promise<Response> {
  const ownState = takeLoginState(c, deps);
  const query = new URL(c.req.url).searchParams;
  const [codes, states, errors] = [query.getAll('code'), query.getAll('state'), query.getAll('error')];
  c.header('referrer-policy', 'no-referrer');
  if (errors.length > 0) return c.redirect(errors[0] === 'access_denied' ? '/login?login=cancelled' : '/login', 303);
  const [[code, extraCode], [state, extraState]] = [codes, states];
  if (!code || !state || extraCode !== undefined || extraState !== undefined) return loginPage(c, 'invalid', 400);
  const outcome = await completeLogin(await withActor(c, deps, UNKNOWN_ACTOR), {
    code,
    state,
    ownState,
    label: browserOf(c),
  });
  // The merchant's first screen is a list of CRM records, so start copying them.
  if ('accountId' in outcome) runToCompletion(c, startSync(deps, outcome));
  switch (outcome.kind) {
    case 'logged-in':
      await endReplacedSession(deps, refreshTokenOf(c, deps));
      setSession(c, deps, outcome.session);
      return c.redirect(`${outcome.origin}/`, 303);
    case 'elsewhere':
      return c.redirect(`${outcome.origin}/?authToken=${outcome.code}`, 303);
    case 'invalid':
      return loginPage(c, 'invalid', 400);
    case 'missing-scopes':
      return loginPage(c, 'missing-scopes', 403);
    case 'removed':
      return loginPage(c, 'removed', 403);
    case 'crm-unavailable':
      return loginPage(c, 'crm-down', 502);
  }
}

/** True for a request from another site, which must not log in, log out or renew tokens. Programs omit the header. */
const isFromAnotherSite = (c: C) => !['same-origin', 'none', undefined].includes(c.req.header('sec-fetch-site'));

async function getLogout({ c, deps }: PublicRequest): Promise<Response> {
  if (isFromAnotherSite(c)) return c.redirect('/', 303);
  const merchant = await sessionIfAny(c, deps);
  // The app also redirects here after its session has expired.
  const next = merchant ? '/' : await pageAfterSession(c, deps, '/');
  try {
    if (merchant) await endSession(await withStaffActor(c, deps, merchant), merchant);
  } catch (cause) {
    // Clear the cookies even if the clinic's database cannot end the session.
    await onError(cause as Error, c);
  }
  clearSession(c, deps);
  return c.redirect(next, 303);
}

async function getStatus({ c, deps }: PublicRequest): Promise<Response> {
  const param = c.req.param('authToken') ?? '';
  const token = param === 'current' ? bearerOf(c) : param;
  const merchant = token ? await merchantOf(deps, token) : null;
  const user = merchant && (await findSessionUser(depsOfClinic(deps, merchant.clinic).db, merchant));
  if (!user) return refuseUnauthorized(c);
  return c.json({
    data: {
      user: user.email,
      user_id: user.crmUserId ?? user.userId,
      token_type: 'Bearer',
      hub_domain: user.domain,
      scopes: (user.scopes ?? '').split(' ').filter(Boolean),
    },
  } satisfies TokenStatus);
}

async function refresh({ c, deps }: PublicRequest): Promise<Response> {
  if (isFromAnotherSite(c)) return apiError(c, 403, 'forbidden', 'Please use our own page for this.');
  const refreshToken = refreshTokenOf(c, deps);
  const renewal = refreshToken ? await renewSession(deps, refreshToken) : null;
  if (!renewal) return refuseUnauthorized(c);
  setAccessToken(c, deps, renewal.accessToken);
  return c.json({ accessToken: renewal.accessToken } satisfies RefreshedToken);
}
