import type { APIRoute } from 'astro';

/** Nothing is disallowed: pages that must not be indexed carry a noindex tag, which robots have to read. */
export const GET: APIRoute = ({ site }) =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${new URL('/sitemap.xml', site)}\n`);
