import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '#worker/deps';
import type { OpenSession } from '#worker/domain/merchants/session';

/** The short-lived access token, the only cookie that scripts may read. */
const ACCESS_COOKIE = 'authToken';

/** `__Host-` and Secure require https, which a development machine lacks. */
const isSecure = ({ settings }: Deps) => settings.APP_URL.startsWith('https:');
const nameOf = (deps: Deps, name: string) => (isSecure(deps) ? `__Host-${name}` : name);
const hiddenCookieOptions = (deps: Deps) =>
  ({ path: '/', secure: isSecure(deps), httpOnly: true, sameSite: 'Lax' }) as const;

export function setAccessToken(c: Context, deps: Deps, accessToken: string): void {
  setCookie(c, ACCESS_COOKIE, accessToken, {
    path: '/',
    secure: isSecure(deps),
    sameSite: 'Lax',
    maxAge: Math.floor(deps.settings.SESSION_MS / 1000),
  });
}

export function setSession(c: Context, deps: Deps, session: OpenSession): void {
  setAccessToken(c, deps, session.accessToken);
  setCookie(c, nameOf(deps, 'session'), session.refreshToken, {
    ...hiddenCookieOptions(deps),
    maxAge: Math.floor(deps.settings.SESSION_MS / 1000),
  });
}

export function clearSession(c: Context, deps: Deps): void {
  deleteCookie(c, ACCESS_COOKIE, { path: '/', secure: isSecure(deps) });
  deleteCookie(c, nameOf(deps, 'session'), hiddenCookieOptions(deps));
}

export const accessTokenOf = (c: Context): string | undefined => getCookie(c, ACCESS_COOKIE);
export const refreshTokenOf = (c: Context, deps: Deps): string | undefined => getCookie(c, nameOf(deps, 'session'));

/** Binds a login to the browser that started it. */
export const setLoginState = (c: Context, deps: Deps, state: string): void =>
  setCookie(c, nameOf(deps, 'oauth'), state, { ...hiddenCookieOptions(deps), maxAge: 600 });

/** Binds an emailed code to the browser that requested it. */
export const setLoginCode = (c: Context, deps: Deps, value: string, maxAgeS: number): void =>
  setCookie(c, nameOf(deps, 'login-code'), value, { ...hiddenCookieOptions(deps), maxAge: maxAgeS });
export const loginCodeOf = (c: Context, deps: Deps): string | undefined => getCookie(c, nameOf(deps, 'login-code'));
export const clearLoginCode = (c: Context, deps: Deps): void => {
  deleteCookie(c, nameOf(deps, 'login-code'), hiddenCookieOptions(deps));
};

/** The cookie that holds the passkey challenge of this browser. */
const PASSKEY_CHALLENGE = 'passkey-asked';
const PASSKEY_CHALLENGE_S = 300;
export const setPasskeyChallenge = (c: Context, deps: Deps, challenge: string): void =>
  setCookie(c, nameOf(deps, PASSKEY_CHALLENGE), challenge, {
    ...hiddenCookieOptions(deps),
    sameSite: 'Strict',
    maxAge: PASSKEY_CHALLENGE_S,
  });

export function takePasskeyChallenge(c: Context, deps: Deps): string | undefined {
  const challenge = getCookie(c, nameOf(deps, PASSKEY_CHALLENGE));
  deleteCookie(c, nameOf(deps, PASSKEY_CHALLENGE), hiddenCookieOptions(deps));
  return challenge;
}

export const loginStateOf = (c: Context, deps: Deps): string | undefined => getCookie(c, nameOf(deps, 'oauth'));

export function takeLoginState(c: Context, deps: Deps): string | undefined {
  const state = loginStateOf(c, deps);
  deleteCookie(c, nameOf(deps, 'oauth'), hiddenCookieOptions(deps));
  return state;
}

/** The cookie that holds the refresh token. */
const CONTENT_REFRESH = 'content';
/** The cookie that holds the access token, so that the Worker can check page requests. It cannot renew a session. */
const CONTENT_PASS = 'content-pass';
/** The cookie that marks a browser that has logged in to this account before. */
const CONTENT_DEVICE = 'content-device';

const toSeconds = (ms: number) => Math.floor(ms / 1000);

export function setContentSession(c: Context, deps: Deps, refreshToken: string): void {
  setCookie(c, nameOf(deps, CONTENT_REFRESH), refreshToken, {
    ...hiddenCookieOptions(deps),
    maxAge: toSeconds(deps.settings.CONTENT_SESSION_MS),
  });
}

export function clearContentSession(c: Context, deps: Deps): void {
  deleteCookie(c, nameOf(deps, CONTENT_REFRESH), hiddenCookieOptions(deps));
  deleteCookie(c, nameOf(deps, CONTENT_PASS), hiddenCookieOptions(deps));
}

export const setContentPass = (c: Context, deps: Deps, token: string): void =>
  setCookie(c, nameOf(deps, CONTENT_PASS), token, {
    ...hiddenCookieOptions(deps),
    maxAge: toSeconds(deps.settings.ACCESS_TOKEN_MS),
  });

export const setContentDevice = (c: Context, deps: Deps, device: string): void =>
  setCookie(c, nameOf(deps, CONTENT_DEVICE), device, { ...hiddenCookieOptions(deps), maxAge: 180 * 86_400 });

const readContentCookie = (c: Context, deps: Deps, name: string) => getCookie(c, nameOf(deps, name));
export const contentRefreshTokenOf = (c: Context, deps: Deps): string | undefined =>
  readContentCookie(c, deps, CONTENT_REFRESH);
export const contentPassOf = (c: Context, deps: Deps): string | undefined => readContentCookie(c, deps, CONTENT_PASS);
export const contentDeviceOf = (c: Context, deps: Deps): string | undefined =>
  readContentCookie(c, deps, CONTENT_DEVICE);

const operatorCookieOptions = (deps: Deps) =>
  ({ path: '/', secure: isSecure(deps), httpOnly: true, sameSite: 'Strict' }) as const;

const OPERATOR_COOKIE = 'operator';
/** The cookie that holds the passkey challenge of an operator's browser. */
const OPERATOR_CHALLENGE = 'operator-asked';
const OPERATOR_CHALLENGE_S = 300;

export const setOperatorSession = (c: Context, deps: Deps, token: string): void =>
  setCookie(c, nameOf(deps, OPERATOR_COOKIE), token, {
    ...operatorCookieOptions(deps),
    maxAge: Math.floor(deps.settings.SESSION_MS / 1000),
  });

export const clearOperatorSession = (c: Context, deps: Deps): void => {
  deleteCookie(c, nameOf(deps, OPERATOR_COOKIE), operatorCookieOptions(deps));
};

export const operatorTokenOf = (c: Context, deps: Deps): string | undefined =>
  getCookie(c, nameOf(deps, OPERATOR_COOKIE));

export const setOperatorChallenge = (c: Context, deps: Deps, challenge: string): void =>
  setCookie(c, nameOf(deps, OPERATOR_CHALLENGE), challenge, {
    ...operatorCookieOptions(deps),
    maxAge: OPERATOR_CHALLENGE_S,
  });

export function takeOperatorChallenge(c: Context, deps: Deps): string | undefined {
  const challenge = getCookie(c, nameOf(deps, OPERATOR_CHALLENGE));
  deleteCookie(c, nameOf(deps, OPERATOR_CHALLENGE), operatorCookieOptions(deps));
  return challenge;
}
