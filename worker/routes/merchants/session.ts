import type { Context } from 'hono';
import type { RefreshedToken, TokenStatus } from '#shared/contracts/session';
import { ofClinic } from '#worker/clinic/of-clinic';
import { findSessionUser } from '#worker/data/merchants/sessions';
import type { Deps, Env } from '#worker/deps';
import { endReplacedSession, endSession, merchantOf, renewSession } from '#worker/domain/merchants/session';
import { actingAs, actingAsStaff } from '#worker/http/acting';
import {
  clearSession,
  refreshTokenOf,
  setAccessToken,
  setLoginState,
  setSession,
  takeLoginState,
} from '#worker/http/cookies/session-cookies';
import { sessionIfAny } from '#worker/http/guards/browser-session';
import { bearerOf, unauthorized } from '#worker/http/guards/require-merchant';
import { browserOf } from '#worker/http/read/browser';
import { apiError, onError, orPage } from '#worker/http/reply/errors';
import { filledPage } from '#worker/http/reply/page-template';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Login through the CRM, renewal of the session, and logout. */
export function sessionRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/app_url', { GET: (c) => c.json({ appUrl: depsOf(c).settings.APP_URL }) });
  route(app, '/login', { GET: (c) => getLogin(c, depsOf(c)) });
  route(app, '/oauth/start', { GET: (c) => startLogin(c, depsOf(c)) });
  route(app, '/oauth', {
    GET: (c) =>
      orPage(
        c,
        () => endLogin(c, depsOf(c)),
        () => loginPage(c, 'invalid', 503),
      ),
  });
  route(app, '/logout', { GET: (c) => getLogout(c, depsOf(c)) });
  route(app, '/api/token/status/:authToken', { GET: (c) => getStatus(c, depsOf(c)) });
  route(app, '/api/refresh-access-token', { GET: (c) => refresh(c, depsOf(c)) });
}

type LoginState = 'ready' | 'cancelled' | 'invalid' | 'crm-down' | 'missing-scopes' | 'removed';

const loginPage = (c: C, state: LoginState, status: 200 | 400 | 403 | 502 | 503) =>
  filledPage(c, '/login', { texts: {}, state }, { status });

async function getLogin(c: C, deps: Deps): Promise<Response> {
  if (await sessionIfAny(c, deps)) return c.redirect('/', 303);
  return loginPage(c, c.req.query('login') === 'cancelled' ? 'cancelled' : 'ready', 200);
}

async function startLogin(c: C, deps: Deps): Promise<Response> {
  // A login begins with a press on our own page, not because another site sends the browser here.
  if (isForeign(c)) return c.redirect('/login', 303);
  const { origin } = new URL(c.req.url);
  const { beginLogin } = await logIn();
  const { state, authorizeUrl } = await beginLogin(
    deps,
    origin === deps.settings.APP_URL ? '' : origin,
    c.req.query('payments') === 'record',
  );
  setLoginState(c, deps, state);
  return c.redirect(authorizeUrl, 303);
}

/** Loaded on demand: most requests are payers'. */
const logIn = () => import('#worker/domain/merchants/log-in');
const copyOf = async (deps: Deps, { clinic, accountId }: { clinic: number; accountId: number }) =>
  (await import('#worker/domain/crm-sync/run')).syncForLook(ofClinic(deps, clinic), accountId);

/** Who logs in is known once the CRM has said it. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

async function endLogin(c: C, deps: Deps): Promise<Response> {
  const ownState = takeLoginState(c, deps);
  const query = new URL(c.req.url).searchParams;
  const [codes, states, errors] = [query.getAll('code'), query.getAll('state'), query.getAll('error')];
  c.header('referrer-policy', 'no-referrer');
  if (errors.length > 0) return c.redirect(errors[0] === 'access_denied' ? '/login?login=cancelled' : '/login', 303);
  const [[code, moreCodes], [state, moreStates]] = [codes, states];
  if (!code || !state || moreCodes !== undefined || moreStates !== undefined) return loginPage(c, 'invalid', 400);
  const { completeLogin } = await logIn();
  const outcome = await completeLogin(await actingAs(c, deps, NOBODY), { code, state, ownState, label: browserOf(c) });
  // The first screen of the merchant is a list of what the CRM holds.
  if ('accountId' in outcome) runToCompletion(c, copyOf(deps, outcome));
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

/** Another site must not log people in or out or renew their token; requests of programs carry no such header. */
const isForeign = (c: C) => !['same-origin', 'none', undefined].includes(c.req.header('sec-fetch-site'));

async function getLogout(c: C, deps: Deps): Promise<Response> {
  if (isForeign(c)) return c.redirect('/', 303);
  const merchant = await sessionIfAny(c, deps);
  try {
    if (merchant) await endSession(await actingAsStaff(c, deps, merchant), merchant);
  } catch (cause) {
    // This browser forgets the session, whether or not the clinic's database can.
    await onError(cause as Error, c);
  }
  clearSession(c, deps);
  return c.redirect('/', 303);
}

async function getStatus(c: C, deps: Deps): Promise<Response> {
  const named = c.req.param('authToken') ?? '';
  const token = named === 'current' ? bearerOf(c) : named;
  const merchant = token ? await merchantOf(deps, token) : null;
  const user = merchant && (await findSessionUser(ofClinic(deps, merchant.clinic).db, merchant));
  if (!user) return unauthorized(c);
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

async function refresh(c: C, deps: Deps): Promise<Response> {
  if (isForeign(c)) return apiError(c, 403, 'forbidden', 'Please use our own page for this.');
  const refreshToken = refreshTokenOf(c, deps);
  const renewed = refreshToken ? await renewSession(deps, refreshToken) : null;
  if (!renewed) return unauthorized(c);
  setAccessToken(c, deps, renewed.accessToken);
  return c.json({ accessToken: renewed.accessToken } satisfies RefreshedToken);
}
