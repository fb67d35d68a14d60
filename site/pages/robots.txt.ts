import type { APIRoute } from 'astro';

/** What must not be found says so in its own answers: a robot that may not read it could not see that. */
export const GET: APIRoute = ({ site }) =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${new URL('/sitemap.xml', site)}\n`);
