import * as z from 'zod/mini';
import { ask } from '#site/islands/ui/api/api-client.ts';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { navigate } from '#site/islands/ui/routing/router.tsx';

const readAppUrl = readWith(z.object({ appUrl: z.string() }), ({ appUrl }) => appUrl);

let known: string | null = null;

/** Asks for the product's public address when the app loads: this browser may use another host name. */
export async function loadAppUrl(): Promise<void> {
  const answer = await ask({ fetch: (path, init) => fetch(path, init) }, '/app_url', readAppUrl, {});
  if (answer.ok) known = answer.value;
}

/** The start of a link that is sent to other people. */
export const appUrl = (): string => known ?? window.location.origin;

/** In the tab's own storage: the address to which a login comes back, once. */
export const RETURN_TO = 'return-to';

export function returnAfterLogin(): void {
  const address = sessionStorage.getItem(RETURN_TO);
  if (!address) return;
  sessionStorage.removeItem(RETURN_TO);
  navigate(address, { replace: true });
}

/** Accepts an address from outside as a link only with https, or with http on loopback. */
export function safeLink(address: string): string | null {
  try {
    const { protocol, hostname, href } = new URL(address);
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    return protocol === 'https:' || (protocol === 'http:' && isLocal) ? href : null;
  } catch {
    return null;
  }
}
