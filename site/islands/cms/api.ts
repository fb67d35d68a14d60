import { ask, createApiClient, sendJson } from '../ui/api/api-client.ts';
import { type Answer, failed, isRecord, type Reader, SIGNED_OUT } from '../ui/api/parse-response.ts';
import { readErrorOrConflict, readLogin, readMe } from './parse-response.ts';
import { dropToken, keepReturn, keepToken, readToken } from './token.ts';

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);

/** A call of somebody who need not be logged in. */
export const post = <T>(path: string, body: object, read: Reader<T>): Promise<Answer<T>> =>
  ask({ fetch: browserFetch }, path, read, sendJson('POST', body));

/** Calls of the content area. The token is in local storage; a cookie that scripts cannot read renews it. */
export const { call, renew, freshToken } = createApiClient({
  token: readToken,
  fetch: browserFetch,
  now: () => Date.now(),
  renew: async () => {
    const answer = await post('/api/auth/refresh', {}, readLogin);
    if (answer.ok) keepToken(answer.value.token);
    return !answer.ok && answer.error.status === 401 ? failed(SIGNED_OUT) : answer;
  },
  leave: leaveForLogin,
  readError: readErrorOrConflict,
});

/** Go to the login; after it, the member returns to this screen. */
function leaveForLogin(): void {
  keepReturn();
  dropToken();
  window.location.assign('/cms/login');
}

/** Whether the stored token opens the area; a bad one is removed. */
export async function isTokenGood(): Promise<boolean> {
  const token = readToken();
  if (!token) return false;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await ask({ fetch: browserFetch }, '/api/auth/me', readMe, { headers });
  if (answer.ok && answer.value.status === 'active') return true;
  if (answer.ok || answer.error.status === 401) dropToken();
  return false;
}

/** For replies whose content does not matter. */
export const readDone: Reader<true> = (body) => (body === undefined || isRecord(body) ? true : null);

export async function endSession(token: string | null): Promise<void> {
  const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
  await ask({ fetch: browserFetch }, '/api/auth/logout', readDone, { method: 'POST', headers });
}

export async function logOut(): Promise<void> {
  const token = readToken();
  dropToken();
  await endSession(token);
  window.location.assign('/cms/login');
}
