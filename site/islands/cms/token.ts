/** What this area keeps in the browser; the names are part of the product's contract. */
const TOKEN = 'cms_token';
/** Set when somebody registers. */
const REGISTERED = 'token';
/** Where to go on after a login. */
const RETURN = 'cms_return';

export const readToken = (): string | null => localStorage.getItem(TOKEN) || null;
export const keepToken = (token: string): void => localStorage.setItem(TOKEN, token);
export const keepRegistered = (token: string): void => localStorage.setItem(REGISTERED, token);
export function dropToken(): void {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(REGISTERED);
}

export const keepReturn = (): void => sessionStorage.setItem(RETURN, window.location.pathname);

/** The screen that a login interrupted, once; else the area's start. */
export function takeReturn(): string {
  const path = sessionStorage.getItem(RETURN) ?? '';
  sessionStorage.removeItem(RETURN);
  return /^\/cms(?:\/[\w/-]+)?$/.test(path) && path !== '/cms/login' ? path : '/cms';
}
