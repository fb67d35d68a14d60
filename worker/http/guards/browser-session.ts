import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { type Merchant, merchantOf, renewSession } from '#worker/domain/merchants/session';
import { accessTokenOf, clearSession, companionOf, setAccessToken } from '#worker/http/cookies/session-cookies';

/**
 * Who is logged in in this browser. A dead access token with a living companion is renewed in the same answer; dead cookies
 * are cleared and count as none.
 */
export async function sessionOf(c: Context<{ Bindings: Env }>, deps: Deps): Promise<Merchant | null> {
  const accessToken = accessTokenOf(c);
  const merchant = accessToken ? await merchantOf(deps, accessToken) : null;
  if (merchant) return merchant;
  const companion = companionOf(c, deps);
  const renewed = companion ? await renewSession(deps, companion) : null;
  if (renewed) setAccessToken(c, deps, renewed.accessToken);
  else if (accessToken || companion) clearSession(c, deps);
  return renewed?.merchant ?? null;
}
