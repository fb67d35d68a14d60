import { createApiClient, sendJson } from '../../ui/api/api-client.ts';
import { tokenIn } from './access-token.ts';
import { readMerchant, readMerchantData, readRefreshed, readSetUp, readUser } from './parse-response.ts';

export { sendJson } from '../../ui/api/api-client.ts';
export type { Answer } from '../../ui/api/parse-response.ts';

/** Everything that these calls use of the browser. */
export type Browser = {
  cookies(): string;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** The session has ended. */
  leave(path: '/login' | '/logout'): void;
};

/** The merchant's calls. The token is in a cookie, which the Worker sets in the reply to a renewal. */
export function createApi(browser: Browser) {
  const { call, renew } = createApiClient({
    token: () => tokenIn(browser.cookies()),
    fetch: (path, init) => browser.fetch(path, init),
    now: () => browser.now(),
    renew: (send) => send('/api/refresh-access-token', readRefreshed),
    leave: (why) => browser.leave(why === 'none' ? '/login' : '/logout'),
  });
  return {
    renew,
    /** For screens that define their own calls. */
    call,
    getMerchant: () => call('/api/token/get-merchant', readMerchant),
    getMerchantData: () => call('/api/token/get-merchant-data', readMerchantData),
    // The token itself stays out of the address.
    getUser: () => call('/api/token/status/current', readUser),
    setUpMerchant: (dbaName: string) => call('/api/token/setup-merchant', readSetUp, sendJson('POST', { dbaName })),
  };
}

export const leave = (path: string) => window.location.assign(path);

export const api = createApi({
  cookies: () => document.cookie,
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  leave,
});
