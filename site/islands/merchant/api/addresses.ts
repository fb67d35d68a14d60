import * as z from 'zod/mini';
import { sendRequest } from '#site/islands/ui/api/api-client.ts';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { navigate } from '#site/islands/ui/routing/router.tsx';

const readAppUrl = readWith(z.object({ appUrl: z.string() }), ({ appUrl }) => appUrl);

let loadedUrl: string | null = null;

/** Loads the product's public URL, which may differ from the host name in this browser. */
export async function loadAppUrl(): Promise<void> {
  const answer = await sendRequest({ fetch: (path, init) => fetch(path, init) }, '/app_url', readAppUrl, {});
  if (answer.ok) loadedUrl = answer.value;
}

/** Returns the base URL for links that are sent to other people. */
export const appUrl = (): string => loadedUrl ?? window.location.origin;

/** The session storage key of the URL to return to after a login. The URL is used once. */
export const RETURN_URL_KEY = 'return-to';

export function returnAfterLogin(): void {
  const address = sessionStorage.getItem(RETURN_URL_KEY);
  if (!address) return;
  sessionStorage.removeItem(RETURN_URL_KEY);
  navigate(address, { replace: true });
}

/** Returns the URL if it is safe as a link (https, or http on a loopback address), otherwise null. */
export function safeLink(address: string): string | null {
  try {
    const { protocol, hostname, href } = new URL(address);
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    return protocol === 'https:' || (protocol === 'http:' && isLocal) ? href : null;
  } catch {
    return null;
  }
}
