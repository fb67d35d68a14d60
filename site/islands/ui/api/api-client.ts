import {
  type Answer,
  type ClientError,
  failed,
  type Reader,
  readError,
  SIGNED_OUT,
  UNREACHABLE,
  UNREADABLE,
} from './parse-response.ts';

export type Send = <T>(path: string, read: Reader<T>, init?: RequestInit) => Promise<Answer<T>>;
export type Call = Send;

/** The caller's token: where it is, how to renew it, and what to do without one. */
export type Caller = {
  token(): string | null;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** `send` sends the current token, if there is one. */
  renew(send: Send): Promise<Answer<unknown>>;
  /** `none`: there was no token in the first place. */
  leave(why: 'none' | 'ended'): void;
  /** Reads errors that carry more than the common fields. */
  readError?(body: unknown, status: number): ClientError;
};

/** A token that expires sooner (ms) is renewed before the call, so that no call fails on the way. */
const EARLY_MS = 60_000;

export type ApiClient = { call: Call; renew(): Promise<Answer<unknown>>; freshToken(): Promise<string | null> };

/** Makes calls with a bearer. Without a token nothing is sent; a 401 leads to one renewal, then to `leave`. */
export function createApiClient(caller: Caller): ApiClient {
  let renewal: Promise<Answer<unknown>> | null = null;
  // With a wrong clock here every token would look expired, so a token just renewed is used as it is.
  let renewed: string | null = null;

  const send: Send = async (path, read, init = {}) => {
    const token = caller.token();
    const headers = { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await ask(caller, path, read, { ...init, headers });
    return !answer.ok && answer.error.status === 401 ? failed(SIGNED_OUT) : answer;
  };

  /** Simultaneous renewals share one call. */
  function renew(): Promise<Answer<unknown>> {
    if (!caller.token()) return Promise.resolve(failed(SIGNED_OUT));
    renewal ??= caller.renew(send).then((answer) => {
      renewal = null;
      renewed = caller.token();
      return answer;
    });
    return renewal;
  }

  /** A token that lasts for a call; null: not logged in. */
  async function freshToken(): Promise<string | null> {
    const token = caller.token();
    const end = token && endOf(token);
    // A renewal that fails here shows as the call's own error.
    if (token && end && end - caller.now() < EARLY_MS && token !== renewed) await renew();
    return caller.token();
  }

  const call: Call = async (path, read, init) => {
    if (!(await freshToken())) {
      caller.leave('none');
      return failed(SIGNED_OUT);
    }
    const answer = await send(path, read, init);
    if (!isSignedOut(answer)) return answer;
    const again = await renew();
    const last = again.ok ? await send(path, read, init) : failed<never>(again.error);
    if (isSignedOut(last)) caller.leave('ended');
    return last;
  };

  return { call, renew, freshToken };
}

/** Makes one call, without adding a token. */
export async function ask<T>(
  { fetch, readError: errorOf = readError }: Pick<Caller, 'fetch' | 'readError'>,
  path: string,
  read: Reader<T>,
  init: RequestInit,
): Promise<Answer<T>> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      cache: 'no-store',
    });
    body = await bodyOf(response);
  } catch {
    return failed(UNREACHABLE);
  }
  if (response.status >= 300) return failed(named(errorOf(body, response.status), response));
  const value = read(body, response.headers);
  return value === null ? failed(UNREADABLE) : { ok: true, value };
}

/** Names the request, whose id in the log begins with this code; not where the person only has to log in or type anew. */
const named = (error: ClientError, { status, headers }: Response): ClientError => {
  const code = headers.get('x-request-id')?.slice(0, 8);
  return code && status !== 401 && status !== 422 ? { ...error, message: `${error.message} (${code})` } : error;
};

/** When a token expires (UTC ms) by its own claim; only the Worker can verify it. */
export function endOf(token: string): number | null {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** JSON, a picture or CSV as a Blob; of an answer that stays open the answer itself, whose reader reads its lines. */
function bodyOf(response: Response): Promise<unknown> | Response {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return response;
  return /^image|csv|octet/.test(type) ? response.blob() : response.json().catch(() => undefined);
}

/** A body as JSON; its type is the request's, where there is a contract. */
export const sendJson = <Body>(method: 'POST' | 'PUT' | 'PATCH', body: Body): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isSignedOut = (answer: Answer<unknown>) => !answer.ok && answer.error === SIGNED_OUT;
