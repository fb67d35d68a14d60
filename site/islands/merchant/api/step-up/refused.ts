import { type ApiClient, sendJson } from '#site/islands/ui/api/api-client.ts';
import type { ClientError, Reader } from '#site/islands/ui/api/parse-response.ts';
import { RETURN_TO } from '../addresses.ts';

/** A call that the Worker does only for somebody who just proved who they are; `ways`: how, as it said. */
export type Refused<T> = {
  error: ClientError & { ways?: unknown };
  path: string;
  read: Reader<T>;
  init: RequestInit | undefined;
  client: ApiClient;
};

/**
 * Keeps what was typed for a call in this tab, under the call's address, and the address of the page, before the login
 * leaves it. No secret is ever among it.
 */
export function keepForLater({ path, init }: Refused<unknown>): void {
  const { pathname, search } = window.location;
  sessionStorage.setItem(RETURN_TO, pathname + search);
  if (typeof init?.body === 'string') sessionStorage.setItem(path, init.body);
}

/** The call by which a colleague is asked to do it instead; null where there is none. */
export function askColleague({ path, init }: Refused<unknown>): { path: string; init: RequestInit } | null {
  const [, payment] = /^\/api\/payments\/([^/]+)\/reversals$/.exec(path) ?? [];
  if (!payment || typeof init?.body !== 'string') return null;
  const asked = { ...(JSON.parse(init.body) as object), payment_id: decodeURIComponent(payment) };
  return { path: '/api/approvals', init: sendJson('POST', asked) };
}
