/** Storage keys of this area; the product's contract names them. */
const TOKEN = 'cms_token';
/** Set by a registration. */
const REGISTERED = 'token';
/** The screen to return to after a login. */
const RETURN = 'cms_return';

export const readToken = (): string | null => localStorage.getItem(TOKEN) || null;
export const keepToken = (token: string): void => localStorage.setItem(TOKEN, token);
export const keepRegistered = (token: string): void => localStorage.setItem(REGISTERED, token);
export function dropToken(): void {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(REGISTERED);
}

export const keepReturn = (): void => sessionStorage.setItem(RETURN, window.location.pathname);

/** The screen that a login interrupted, once; else the area's first screen. */
export function takeReturn(): string {
  const path = sessionStorage.getItem(RETURN) ?? '';
  sessionStorage.removeItem(RETURN);
  return /^\/cms(?:\/[\w/-]+)?$/.test(path) && path !== '/cms/login' ? path : '/cms';
}
