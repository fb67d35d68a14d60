import { useSyncExternalStore } from 'react';
import { RefreshedToken } from '#shared/contracts/staff/session';
import { type Call, createApiClient } from '#site/islands/ui/api/api-client.ts';
import { type Answer, readError, readWith } from '#site/islands/ui/api/parse-response.ts';
import type { RefusedCall } from './step-up/refused-call.ts';

/** Returns the token from the cookie that scripts may read, or null if there is none. */
export function readToken(cookies: string): string | null {
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === 'authToken' && value) return value;
  }
  return null;
}

export type { ClientError } from '#site/islands/ui/api/parse-response.ts';

export const readRefreshedToken = readWith(RefreshedToken);

export { sendJson } from '#site/islands/ui/api/api-client.ts';
export type { Answer } from '#site/islands/ui/api/parse-response.ts';

/** The browser features that the calls use. */
export type Browser = {
  cookies(): string;
  fetch(path: string, init: RequestInit): Promise<Response>;
  now(): number;
  /** Called when the session has ended. */
  leave(path: '/login' | '/logout'): void;
  /** Asks the user for a proof of identity. Returns the answer to the repeated call, or the refusal. */
  stepUp<T>(refusedCall: RefusedCall<T>): Promise<Answer<T>>;
};

/** Creates the API client of the merchant app. The Worker sets the token's cookie in the reply to a renewal. */
export function createApi(browser: Browser) {
  const client = createApiClient({
    token: () => readToken(browser.cookies()),
    fetch: (path, init) => browser.fetch(path, init),
    now: () => browser.now(),
    renew: (send) => send('/api/refresh-access-token', readRefreshedToken),
    leave: (reason) => browser.leave(reason === 'none' ? '/login' : '/logout'),
    readError: (body, status) => ({
      ...readError(body, status),
      ways: (body as { ways?: unknown } | null | undefined)?.ways,
    }),
  });
  const call: Call = async (path, read, init) => {
    const answer = await client.call(path, read, init);
    const isRefused = !answer.ok && answer.error.code === 'step-up-needed';
    return isRefused ? browser.stepUp({ error: answer.error, path, read, init, client }) : answer;
  };
  return {
    renew: client.renew,
    /** Calls the API. Each screen defines its own calls. */
    call,
  };
}

export const leaveTo = (path: string) => window.location.assign(path);

export const api = createApi({
  cookies: () => document.cookie,
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  leave: leaveTo,
  stepUp: async (refusedCall) => (await import('./step-up/lazy-step-up.ts')).stepUp(refusedCall),
});

/** The server's message if it could not answer a list request. List screens show it in place of their rows. */
let apiError: string | null = null;
const listeners = new Set<() => void>();

export function setApiError(message: string | null): void {
  apiError = message;
  for (const listener of listeners) listener();
}

export const useApiError = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => apiError,
  );
