import { createHash } from 'node:crypto';
import type { PathWithRoute } from 'astro';

/**
 * Pages whose only published content is the footer's list of static pages. A page that shows more must not be listed:
 * it would go stale. Without this list, Astro keys only pages whose address has a parameter.
 */
export const FIXED: ReadonlySet<string> = new Set([
  '/404',
  '/app/join',
  '/app/no-post',
  '/app/no-preview',
  '/app/page',
  '/app/page-failed',
  '/app/post',
  '/app/post-failed',
  '/app/shell',
  '/claims',
  '/cms/login',
  '/cms/shell',
  '/cookie-policy',
  '/demo',
  '/login',
  '/make/payment/shell-en',
  '/make/payment/shell-es',
  '/make/payment/state-en',
  '/make/payment/state-es',
  '/manifest.webmanifest',
  '/offline',
  '/operator/shell',
  '/privacy',
  '/proof',
  '/receipt-shell-en',
  '/receipt-shell-es',
  '/register',
  '/robots.txt',
  '/terms',
]);

/** Gives the fixed pages a key: the pages in the footer, and the names of all scripts and styles that they may load. */
export function keyFixedPages(paths: PathWithRoute[], files: string[]): PathWithRoute[] {
  const foot = paths.filter(({ pathname }) => pathname.startsWith('/pages/')).map(({ cacheKey }) => cacheKey);
  const key = createHash('sha256')
    .update(JSON.stringify([foot, files.toSorted()]))
    .digest('hex');
  return paths.map((one) => (FIXED.has(one.pathname) ? { ...one, cacheKey: key } : one));
}
