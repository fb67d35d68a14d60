import type { Context, MiddlewareHandler } from 'hono';
import { apiError } from '#worker/http/reply/errors';

/**
 * Loopback URLs are matched with a pattern, because parsing two URLs would cost more than all other work on a request.
 */
const LOOPBACK = /^(https?):\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//i;

/**
 * True if the request used our own host, because a forged Host must never reach a page, an email or a redirect. All
 * loopback names match each other with any port, because tests use other ports. http and https never match each other.
 */
export function isOwnHost(appUrl: string, url: string): boolean {
  if (url.startsWith(`${appUrl}/`)) return true;
  const ownOrigin = LOOPBACK.exec(`${appUrl}/`);
  return ownOrigin !== null && ownOrigin[1] === LOOPBACK.exec(url)?.[1];
}

export const refuseMisdirected = (c: Context): Response =>
  apiError(c, 421, 'misdirected', 'This server does not answer at that address.');

/**
 * Browsers may write only from the same origin, whose host `isOwnHost` has accepted. A request without Origin and
 * Sec-Fetch-Site does not come from a browser.
 */
export const requireSameOrigin =
  (refuse: typeof apiError = apiError): MiddlewareHandler =>
  async (c, next) => {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const isForeign =
      (origin !== undefined && origin !== new URL(c.req.url).origin) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (isForeign) return refuse(c, 403, 'forbidden', 'Please use our own page for this.');
    return next();
  };
