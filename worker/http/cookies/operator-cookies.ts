import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '#worker/deps';

/** Cookies of the operator's area, all HttpOnly, and never sent along from another site; `__Host-` needs https. */

const isSecure = ({ settings }: Deps) => settings.APP_URL.startsWith('https:');
const nameOf = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);
const strict = (deps: Deps) => ({ path: '/', secure: isSecure(deps), httpOnly: true, sameSite: 'Strict' }) as const;

/** The session. */
const SESSION = 'operator';
/** The challenge that this browser was given. */
const ASKED = 'operator-asked';
const ASKED_S = 300;

export const setOperator = (c: Context, deps: Deps, token: string): void =>
  setCookie(c, nameOf(deps, SESSION), token, {
    ...strict(deps),
    maxAge: Math.floor(deps.settings.SESSION_MS / 1000),
  });

export const clearOperator = (c: Context, deps: Deps): void => {
  deleteCookie(c, nameOf(deps, SESSION), strict(deps));
};

export const operatorTokenOf = (c: Context, deps: Deps): string | undefined => getCookie(c, nameOf(deps, SESSION));

export const setAsked = (c: Context, deps: Deps, asked: string): void =>
  setCookie(c, nameOf(deps, ASKED), asked, { ...strict(deps), maxAge: ASKED_S });

export function takeAskedCookie(c: Context, deps: Deps): string | undefined {
  const asked = getCookie(c, nameOf(deps, ASKED));
  deleteCookie(c, nameOf(deps, ASKED), strict(deps));
  return asked;
}
