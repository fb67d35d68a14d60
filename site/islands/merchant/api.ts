import { endOf, tokenIn } from './access-token.ts';
import {
  type Fault,
  type Reader,
  readFault,
  readMerchant,
  readMerchantData,
  readRefreshed,
  readSetUp,
  readUser,
  UNREADABLE,
} from './answers.ts';

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: Fault };

/** All that these calls touch of the browser. */
export type Browser = {
  cookies(): string;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** Nobody is logged in here any more. */
  leave(path: '/login' | '/logout'): void;
};

/** A token that ends sooner is renewed first, so that no call is lost on the way. */
const EARLY_MS = 60_000;

const failed = <T>(fault: Fault): Answer<T> => ({ ok: false, fault });
const SIGNED_OUT: Fault = { code: 'unauthorized', message: 'Please log in again.', fields: [], status: 401 };
const UNREACHABLE: Fault = {
  code: 'unreachable',
  message: 'The server could not be reached. Check your connection and try again.',
  fields: [],
  status: 0,
};

/** The merchant's calls. Without the token's cookie nothing is sent; a 401 is answered by one renewal, then by logging out. */
export function createApi(browser: Browser) {
  let renewal: Promise<Answer<unknown>> | null = null;
  // A wrong clock here would make every token look ended: one that was just renewed is used as it is.
  let renewed: string | null = null;

  async function send<T>(path: string, read: Reader<T>, init: RequestInit = {}): Promise<Answer<T>> {
    const token = tokenIn(browser.cookies());
    if (!token) return failed(SIGNED_OUT);
    const headers = { accept: 'application/json', ...init.headers, authorization: `Bearer ${token}` };
    let response: Response;
    let body: unknown;
    try {
      response = await browser.fetch(path, { ...init, headers, cache: 'no-store' });
      body = await bodyOf(response);
    } catch {
      return failed(UNREACHABLE);
    }
    if (response.status === 401) return failed(SIGNED_OUT);
    if (response.status >= 300) return failed(readFault(body, response.status));
    const value = read(body, response.headers);
    return value === null ? failed(UNREADABLE) : { ok: true, value };
  }

  /** All who need a new token at the same time get it from one call; the Worker sets the cookie in its answer. */
  function renew(): Promise<Answer<unknown>> {
    renewal ??= send('/api/refresh-access-token', readRefreshed).then((answer) => {
      renewal = null;
      renewed = tokenIn(browser.cookies());
      return answer;
    });
    return renewal;
  }

  async function call<T>(path: string, read: Reader<T>, init?: RequestInit): Promise<Answer<T>> {
    const token = tokenIn(browser.cookies());
    if (!token) {
      browser.leave('/login');
      return failed(SIGNED_OUT);
    }
    const end = endOf(token);
    // A renewal that fails here shows itself in the call.
    if (end !== null && end - browser.now() < EARLY_MS && token !== renewed) await renew();
    const answer = await send(path, read, init);
    if (!isSignedOut(answer)) return answer;
    const again = await renew();
    const last: Answer<T> = again.ok ? await send(path, read, init) : again;
    if (isSignedOut(last)) browser.leave('/logout');
    return last;
  }

  return {
    renew,
    /** For what an area of screens asks on its own. */
    call,
    getMerchant: () => call('/api/token/get-merchant', readMerchant),
    getMerchantData: () => call('/api/token/get-merchant-data', readMerchantData),
    // The token itself stays out of the address.
    getUser: () => call('/api/token/status/current', readUser),
    setUpMerchant: (dbaName: string) => call('/api/token/setup-merchant', readSetUp, sendJson('POST', { dbaName })),
  };
}

/** JSON, or a picture or a table as it is. */
const bodyOf = (response: Response): Promise<unknown> =>
  /^(image\/|text\/csv)/.test(response.headers.get('content-type') ?? '')
    ? response.blob()
    : response.json().catch(() => undefined);

/** A body as JSON. */
export const sendJson = (method: 'POST' | 'PUT', body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isSignedOut = (answer: Answer<unknown>) => !answer.ok && answer.fault === SIGNED_OUT;

export const leave = (path: string) => window.location.assign(path);

export const api = createApi({
  cookies: () => document.cookie,
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  leave,
});
