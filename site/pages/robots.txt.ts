import type { APIRoute } from 'astro';

/** Nothing is disallowed: a page that must not be indexed says so itself, and a robot must read it to see that. */
export const GET: APIRoute = ({ site }) =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${new URL('/sitemap.xml', site)}\n`);
