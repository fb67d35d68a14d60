import type { Context } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { type Merchant, merchantOf, renewSession } from '../domain/session.ts';
import { accessTokenOf, clearSession, companionOf, setAccessToken } from './session-cookies.ts';

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
