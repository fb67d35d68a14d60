import {
  type Answer,
  type ClientError,
  failedAnswer,
  type Reader,
  readError,
  SIGNED_OUT_ERROR,
  UNREACHABLE_ERROR,
  UNREADABLE_ERROR,
} from './parse-response.ts';

export type Send = <T>(path: string, read: Reader<T>, init?: RequestInit) => Promise<Answer<T>>;
export type Call = Send;

/** Gives the client access to the token and its renewal, and handles the loss of the token. */
export type SessionAccess = {
  token(): string | null;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** Renews the token. `send` sends the request with the current token, if there is one. */
  renew(send: Send): Promise<Answer<unknown>>;
  /** Leaves the page. `none` means that there was no token, and `ended` that the session has ended. */
  leave(reason: 'none' | 'ended'): void;
  /** Reads errors that have more than the common fields. */
  readError?(body: unknown, status: number): ClientError;
};

/** A token that expires within this time (ms) is renewed before a call, so that it does not expire during it. */
const EXPIRY_MARGIN_MS = 60_000;

export type ApiClient = { call: Call; renew(): Promise<Answer<unknown>>; freshToken(): Promise<string | null> };

/**
 * Makes calls with a bearer token. Without a token, nothing is sent. After a 401, the token is renewed and the call
 * repeated once. If that fails too, `leave` is called.
 */
export function createApiClient(caller: SessionAccess): ApiClient {
  let renewal: Promise<Answer<unknown>> | null = null;
  // If the local clock is wrong, a new token may look expired. A renewed token is therefore not renewed again.
  let renewedToken: string | null = null;

  const send: Send = async (path, read, init = {}) => {
    const token = caller.token();
    const headers = { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await sendRequest(caller, path, read, { ...init, headers });
    return !answer.ok && answer.error.status === 401 ? failedAnswer(SIGNED_OUT_ERROR) : answer;
  };

  /** Renews the token. Simultaneous renewals share one call. */
  function renew(): Promise<Answer<unknown>> {
    if (!caller.token()) return Promise.resolve(failedAnswer(SIGNED_OUT_ERROR));
    renewal ??= caller.renew(send).then((answer) => {
      renewal = null;
      renewedToken = caller.token();
      return answer;
    });
    return renewal;
  }

  /** Renews the token if it expires soon. Returns it, or null if the user is not logged in. */
  async function freshToken(): Promise<string | null> {
    const token = caller.token();
    const end = token && expiryOf(token);
    // If this renewal fails, the call that follows reports the error.
    if (token && end && end - caller.now() < EXPIRY_MARGIN_MS && token !== renewedToken) await renew();
    return caller.token();
  }

  const call: Call = async (path, read, init) => {
    if (!(await freshToken())) {
      caller.leave('none');
      return failedAnswer(SIGNED_OUT_ERROR);
    }
    const answer = await send(path, read, init);
    if (!isSignedOut(answer)) return answer;
    const renewalAnswer = await renew();
    const retryAnswer = renewalAnswer.ok ? await send(path, read, init) : failedAnswer<never>(renewalAnswer.error);
    if (isSignedOut(retryAnswer)) caller.leave('ended');
    return retryAnswer;
  };

  return { call, renew, freshToken };
}

/** Makes one call without a token. */
export async function sendRequest<T>(
  { fetch, readError: errorOf = readError }: Pick<SessionAccess, 'fetch' | 'readError'>,
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
    return failedAnswer(UNREACHABLE_ERROR);
  }
  if (response.status >= 300) return failedAnswer(withRequestId(errorOf(body, response.status), response));
  const value = read(body, response.headers);
  return value === null ? failedAnswer(UNREADABLE_ERROR) : { ok: true, value };
}

/** Adds the start of the logged request id to the message, unless the error only needs a login or a correction. */
const withRequestId = (error: ClientError, { status, headers }: Response): ClientError => {
  const code = headers.get('x-request-id')?.slice(0, 8);
  return code && status !== 401 && status !== 422 ? { ...error, message: `${error.message} (${code})` } : error;
};

/** Returns when a token expires (UTC ms) according to its own claim, which only the Worker can verify. */
export function expiryOf(token: string): number | null {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/**
 * Returns the body as JSON, or as a Blob for an image, a CSV or a binary file. For a stream, it returns the response
 * itself, whose lines the caller reads.
 */
function bodyOf(response: Response): Promise<unknown> | Response {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return response;
  return /^image|csv|octet/.test(type) ? response.blob() : response.json().catch(() => undefined);
}

/** Builds a request with a JSON body. `Body` is the type of the request's contract. */
export const sendJson = <Body>(method: 'POST' | 'PUT' | 'PATCH', body: Body): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isSignedOut = (answer: Answer<unknown>) => !answer.ok && answer.error === SIGNED_OUT_ERROR;
