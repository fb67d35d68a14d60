import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { redeemHandoff } from '#worker/domain/merchants/log-in';
import {
  endReplacedSession,
  findEndReason,
  type LoggedInMerchant,
  merchantOf,
  renewSession,
} from '#worker/domain/merchants/session';
import { withActor } from '#worker/http/actor-deps';
import {
  accessTokenOf,
  clearSession,
  loginStateOf,
  refreshTokenOf,
  setAccessToken,
  setSession,
  takeLoginState,
} from '#worker/http/cookies/cookies';
import { browserOf } from '#worker/http/read/browser';
import { onError } from '#worker/http/reply/errors';
import { causeOf } from '#worker/log';

/**
 * Returns the merchant who is logged in with this browser, or null. If the access token has expired but the refresh
 * token is valid, the response renews it. Invalid cookies are cleared.
 */
export async function sessionOf(c: Context<{ Bindings: Env }>, deps: Deps): Promise<LoggedInMerchant | null> {
  const accessToken = accessTokenOf(c);
  const merchant = accessToken ? await merchantOf(deps, accessToken) : null;
  if (merchant) return merchant;
  const refreshToken = refreshTokenOf(c, deps);
  const renewal = refreshToken ? await renewSession(deps, refreshToken) : null;
  if (renewal) setAccessToken(c, deps, renewal.accessToken);
  else if (accessToken || refreshToken) clearSession(c, deps);
  return renewal?.merchant ?? null;
}

/**
 * Like `sessionOf`, for a page that does not require a session: returns null while the clinic's database does not
 * respond. The cookies stay, so the next page finds the session again.
 */
export const sessionIfAny = (c: Context<{ Bindings: Env }>, deps: Deps): Promise<LoggedInMerchant | null> =>
  sessionOf(c, deps).catch((cause: unknown) => {
    deps.log.info('session-not-read', { cause: causeOf(cause) });
    return null;
  });

/** Returns the login page with the reason if the session of this browser has ended; otherwise `defaultPath`. */
export async function pageAfterSession(
  c: Context<{ Bindings: Env }>,
  deps: Deps,
  defaultPath: string,
): Promise<string> {
  const refreshToken = refreshTokenOf(c, deps);
  if (!refreshToken) return defaultPath;
  try {
    const reason = await findEndReason(deps, refreshToken);
    return reason ? `/login?login=${reason}` : defaultPath;
  } catch (cause) {
    deps.log.info('session-not-read', { cause: causeOf(cause) });
    return defaultPath;
  }
}

/** Paths whose `authToken` is not a handoff code: API calls, the login itself, and payer pages. */
const OTHER_TOKEN_PATHS = /^\/(?:api|oauth|make\/payment|receipt)(?:\/|$)/;
/** The format of a handoff code. A session token has another format and is not looked up. */
const HANDOFF_CODE = /^[\w-]{20,40}$/;

/**
 * Redeems the handoff code in `?authToken=` and opens the session in the browser that started the login. Redirects even
 * if the code is invalid, to remove it from the URL and the history. Returns undefined if the parameter is missing.
 */
export function redeemHandoffCode(c: Context, deps: Deps): Promise<Response> | undefined {
  const codes = c.req.url.includes('?') && c.req.queries('authToken');
  return codes && c.req.method === 'GET' && !OTHER_TOKEN_PATHS.test(c.req.path) ? redeem(c, deps, codes) : undefined;
}

async function redeem(c: Context, deps: Deps, [code = '', extraCode]: string[]): Promise<Response> {
  const loginState = loginStateOf(c, deps);
  const session =
    loginState && extraCode === undefined && HANDOFF_CODE.test(code)
      ? await redeemHandoff(
          await withActor(c, deps, { kind: 'user', id: '', sessionId: '' }),
          code,
          loginState,
          browserOf(c),
        ).catch(async (cause: Error) => {
          await onError(cause, c);
          return null;
        })
      : null;
  if (session) {
    takeLoginState(c, deps);
    await endReplacedSession(deps, refreshTokenOf(c, deps));
    setSession(c, deps, session);
  }
  c.header('referrer-policy', 'no-referrer');
  return c.redirect('/', 303);
}
