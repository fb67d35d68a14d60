import type { Context, MiddlewareHandler } from 'hono';
import { apiError } from './errors.ts';

/** By pattern: parsing two addresses would cost more than all else that happens to each request. */
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//i;

/** We answer only under our own name: a forged Host must never reach a page, a mail or a redirect. */
export const isOurName = (appUrl: string, url: string): boolean =>
  url.startsWith(`${appUrl}/`) || (LOOPBACK.test(`${appUrl}/`) && LOOPBACK.test(url));

export const misdirected = (c: Context): Response =>
  apiError(c, 421, 'misdirected', 'This server does not answer under that name.');

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
