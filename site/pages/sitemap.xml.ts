import type { APIRoute } from 'astro';
import { articlePath } from '#shared/paths';
import { escapeHtml } from '#shared/text/escape';
import { blogPages } from '../content/blog-pages.ts';
import { readSite, type SiteArticle } from '../content/read-site.ts';

const FIXED_PATHS = ['/', '/blog', '/demo', '/proof', '/claims', '/terms', '/privacy', '/cookie-policy'];

export const GET: APIRoute = async ({ site }) => {
  const { posts, pages } = await readSite();
  const entry = (path: string, changedAt?: string) =>
    `<url><loc>${escapeHtml(new URL(path, site).href)}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>`;
  const article = ({ kind, slug, updatedAt }: SiteArticle) => entry(articlePath(kind, slug), updatedAt);
  const lists = blogPages(posts)
    .slice(1)
    .map((_posts, index) => entry(`/blog/page/${index + 2}`));
  const entries = [...FIXED_PATHS.map((path) => entry(path)), ...lists, ...posts.map(article), ...pages.map(article)];
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
};
