import { type ApiClient, sendJson } from '#site/islands/ui/api/api-client.ts';
import type { ClientError, Reader } from '#site/islands/ui/api/parse-response.ts';
import { RETURN_URL_KEY } from '../addresses.ts';

/** A call that was refused because it needs a recent proof of identity. `ways` lists the proofs that are accepted. */
export type RefusedCall<T> = {
  error: ClientError & { ways?: unknown };
  path: string;
  read: Reader<T>;
  init: RequestInit | undefined;
  client: ApiClient;
};

/**
 * Saves the page's URL, and the call's body under the call's path, in session storage before the login. The body never
 * contains a secret.
 */
export function saveForReturn({ path, init }: RefusedCall<unknown>): void {
  const { pathname, search } = window.location;
  sessionStorage.setItem(RETURN_URL_KEY, pathname + search);
  if (typeof init?.body === 'string') sessionStorage.setItem(path, init.body);
}

/** Returns the call that requests a colleague's approval, or null if the refused call does not allow that. */
export function approvalCallFor({ path, init }: RefusedCall<unknown>): { path: string; init: RequestInit } | null {
  const [, payment] = /^\/api\/payments\/([^/]+)\/reversals$/.exec(path) ?? [];
  if (!payment || typeof init?.body !== 'string') return null;
  const body = { ...(JSON.parse(init.body) as object), payment_id: decodeURIComponent(payment) };
  return { path: '/api/approvals', init: sendJson('POST', body) };
}
