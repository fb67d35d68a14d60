import type { MiddlewareHandler } from 'hono';
import { apiError } from './errors.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Answer only under our own name: a forged Host must never reach a page, a mail or a redirect. */
export const knownHost: (appUrl: string) => MiddlewareHandler = (appUrl) => async (c, next) => {
  if (c.req.url.startsWith(`${appUrl}/`) || isLoopbackAlias(appUrl, c.req.url)) return next();
  return apiError(c, 421, 'misdirected', 'This server does not answer under that name.');
};

const isLoopbackAlias = (appUrl: string, url: string) =>
  LOOPBACK.test(new URL(appUrl).hostname) && LOOPBACK.test(new URL(url).hostname);

/** A browser may write only from our own pages; a request without Origin and Sec-Fetch-Site is not from a browser. */
export const sameOrigin =
  (appUrl: string, refuse: typeof apiError = apiError): MiddlewareHandler =>
  async (c, next) => {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const isForeign =
      (origin !== undefined && origin !== new URL(appUrl).origin && origin !== new URL(c.req.url).origin) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (isForeign) return refuse(c, 403, 'forbidden', 'Please use our own page for this.');
    return next();
  };
