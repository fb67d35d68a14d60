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

/** Who calls: where the token is, how another one is had, and what happens when there is none. */
export type Caller = {
  token(): string | null;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** `send` carries the token, if there is one. */
  renew(send: Send): Promise<Answer<unknown>>;
  /** `none`: there was no token to begin with. */
  leave(why: 'none' | 'ended'): void;
  /** Faults that a caller wants to know more of than every fault says. */
  readError?(body: unknown, status: number): ClientError;
};

/** A token that ends sooner is renewed first, so that no call is lost on the way. */
const EARLY_MS = 60_000;

/** Calls with a bearer. Without one nothing is sent; a 401 is answered by one renewal, then by leaving. */
export function createApiClient(caller: Caller) {
  let renewal: Promise<Answer<unknown>> | null = null;
  // A wrong clock here would make every token look ended: one that was just renewed is used as it is.
  let renewed: string | null = null;

  const send: Send = async (path, read, init = {}) => {
    const token = caller.token();
    const headers = { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await ask(caller, path, read, { ...init, headers });
    return !answer.ok && answer.fault.status === 401 ? failed(SIGNED_OUT) : answer;
  };

  /** All who need a new token at the same time get it from one call. */
  function renew(): Promise<Answer<unknown>> {
    if (!caller.token()) return Promise.resolve(failed(SIGNED_OUT));
    renewal ??= caller.renew(send).then((answer) => {
      renewal = null;
      renewed = caller.token();
      return answer;
    });
    return renewal;
  }

  /** A token that will last for a call; null: nobody is logged in here. */
  async function freshToken(): Promise<string | null> {
    const token = caller.token();
    const end = token && endOf(token);
    // A renewal that fails here shows itself in the call.
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
    const last = again.ok ? await send(path, read, init) : failed<never>(again.fault);
    if (isSignedOut(last)) caller.leave('ended');
    return last;
  };

  return { call, renew, freshToken };
}

/** One call as it is, without a token of its own. */
export async function ask<T>(
  { fetch, readError: faultOf = readError }: Pick<Caller, 'fetch' | 'readError'>,
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
  if (response.status >= 300) return failed(faultOf(body, response.status));
  const value = read(body, response.headers);
  return value === null ? failed(UNREADABLE) : { ok: true, value };
}

/** When a token ends, in milliseconds, as it says itself; only the Worker can tell whether that is true. */
export function endOf(token: string): number | null {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** JSON, a picture or a table as it is, or what an answer that stays open begins with. */
function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return firstLineOf(response);
  return /^(image\/|text\/csv)/.test(type) ? response.blob() : response.json().catch(() => undefined);
}

/** The first line; the rest is listened to for as long as it lasts, and says nothing. */
async function firstLineOf(response: Response): Promise<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && !text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  const listen = async (): Promise<void> => {
    while (reader && !(await reader.read()).done);
  };
  // The connection may break; what it was about is asked for elsewhere.
  void listen().catch(() => undefined);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as JSON; its type is the request's, where there is a contract. */
export const sendJson = <Body>(method: 'POST' | 'PUT', body: Body): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isSignedOut = (answer: Answer<unknown>) => !answer.ok && answer.fault === SIGNED_OUT;
