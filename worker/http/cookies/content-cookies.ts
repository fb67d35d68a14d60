import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '#worker/deps';

/** Cookies of the content area, all HttpOnly; `__Host-` and Secure need https. */

const isSecure = ({ settings }: Deps) => settings.APP_URL.startsWith('https:');
const nameOf = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);
const strict = (deps: Deps) => ({ path: '/', secure: isSecure(deps), httpOnly: true, sameSite: 'Lax' }) as const;

/** The refresh token. */
const REFRESH_COOKIE = 'content';
/** The access token, so that the Worker can check page requests. It cannot renew a session. */
const PASS = 'content-pass';
/** This browser has logged in to this account before. */
const DEVICE = 'content-device';

const seconds = (ms: number) => Math.floor(ms / 1000);

export function setContentSession(c: Context, deps: Deps, refreshToken: string): void {
  setCookie(c, nameOf(deps, REFRESH_COOKIE), refreshToken, {
    ...strict(deps),
    maxAge: seconds(deps.settings.CONTENT_SESSION_MS),
  });
}

export function clearContentSession(c: Context, deps: Deps): void {
  deleteCookie(c, nameOf(deps, REFRESH_COOKIE), strict(deps));
  deleteCookie(c, nameOf(deps, PASS), strict(deps));
}

export const setPass = (c: Context, deps: Deps, token: string): void =>
  setCookie(c, nameOf(deps, PASS), token, { ...strict(deps), maxAge: seconds(deps.settings.ACCESS_TOKEN_MS) });

export const setDevice = (c: Context, deps: Deps, device: string): void =>
  setCookie(c, nameOf(deps, DEVICE), device, { ...strict(deps), maxAge: 180 * 86_400 });

const read = (c: Context, deps: Deps, name: string) => getCookie(c, nameOf(deps, name));
export const contentRefreshTokenOf = (c: Context, deps: Deps): string | undefined => read(c, deps, REFRESH_COOKIE);
export const passOf = (c: Context, deps: Deps): string | undefined => read(c, deps, PASS);
export const deviceOf = (c: Context, deps: Deps): string | undefined => read(c, deps, DEVICE);
