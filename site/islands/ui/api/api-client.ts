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
  /** `send` sends the request with the current token, if there is one. */
  renew(send: Send): Promise<Answer<unknown>>;
  /** `none`: there was no token from the start. */
  leave(why: 'none' | 'ended'): void;
  /** Reads errors with more than the common fields. */
  readError?(body: unknown, status: number): ClientError;
};

/** A token that expires sooner than this (ms) is renewed before the call, so that it does not expire on the way. */
const EARLY_MS = 60_000;

export type ApiClient = { call: Call; renew(): Promise<Answer<unknown>>; freshToken(): Promise<string | null> };

/** Makes calls with a bearer token. Without a token nothing is sent; a 401 leads to one renewal, then to `leave`. */
export function createApiClient(caller: Caller): ApiClient {
  let renewal: Promise<Answer<unknown>> | null = null;
  // With a wrong local clock, every token would look expired, so a token that was just renewed is used as it is.
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

  /** A token that lasts for the call; null: not logged in. */
  async function freshToken(): Promise<string | null> {
    const token = caller.token();
    const end = token && endOf(token);
    // If this renewal fails, the call itself reports the error.
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

/**
 * Adds the start of the request id in the log to the message; not for errors that only need a login or a correction.
 */
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

/**
 * The body: JSON, or a Blob for a picture, CSV or binary file. For a stream, the response itself: the caller reads its
 * lines.
 */
function bodyOf(response: Response): Promise<unknown> | Response {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return response;
  return /^image|csv|octet/.test(type) ? response.blob() : response.json().catch(() => undefined);
}

/** A JSON body, typed by the request's contract if there is one. */
export const sendJson = <Body>(method: 'POST' | 'PUT' | 'PATCH', body: Body): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isSignedOut = (answer: Answer<unknown>) => !answer.ok && answer.error === SIGNED_OUT;
