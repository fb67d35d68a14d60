import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { type LoggedIn, merchantOf, renewSession } from '#worker/domain/merchants/session';
import { accessTokenOf, clearSession, refreshTokenOf, setAccessToken } from '#worker/http/cookies/session-cookies';
import { causeOf } from '#worker/log';

/**
 * The merchant who is logged in in this browser, or null. An expired access token with a valid refresh token is renewed
 * in the same reply; invalid cookies are cleared.
 */
export async function sessionOf(c: Context<{ Bindings: Env }>, deps: Deps): Promise<LoggedIn | null> {
  const accessToken = accessTokenOf(c);
  const merchant = accessToken ? await merchantOf(deps, accessToken) : null;
  if (merchant) return merchant;
  const refreshToken = refreshTokenOf(c, deps);
  const renewed = refreshToken ? await renewSession(deps, refreshToken) : null;
  if (renewed) setAccessToken(c, deps, renewed.accessToken);
  else if (accessToken || refreshToken) clearSession(c, deps);
  return renewed?.merchant ?? null;
}

/**
 * The same for a page that can do without: while the clinic's database does not answer, nobody is logged in. The cookies
 * stay, so the next page finds the session again.
 */
export const sessionIfAny = (c: Context<{ Bindings: Env }>, deps: Deps): Promise<LoggedIn | null> =>
  sessionOf(c, deps).catch((cause: unknown) => {
    deps.log.info('session-not-read', { cause: causeOf(cause) });
    return null;
  });
