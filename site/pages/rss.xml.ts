import type { APIRoute } from 'astro';
import { operator } from '#shared/operator';
import { articlePath } from '#shared/paths';
import { escapeHtml } from '#shared/text/escape';
import { beginningOf, readSite } from '../content/read-site.ts';

const MAX_POSTS = 20;

/** Characters that XML does not allow, even escaped. */
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const xml = (text: string): string => escapeHtml(text.replace(INVALID, ''));

export const GET: APIRoute = async ({ site }) => {
  const { posts } = await readSite();
  const items = posts.slice(0, MAX_POSTS).map((post) => {
    const url = new URL(articlePath('post', post.slug), site).href;
    return `<item><title>${xml(post.title)}</title><link>${xml(url)}</link><guid isPermaLink="false">${post.id}</guid>\
<pubDate>${new Date(post.publishedAt ?? post.createdAt).toUTCString()}</pubDate>\
<description>${xml(beginningOf(post, 300))}</description></item>`;
  });
  const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xml(operator.name)}</title>
<link>${xml(new URL('/blog', site).href)}</link>
<atom:link href="${xml(new URL('/rss.xml', site).href)}" rel="self" type="application/rss+xml"/>
<description>Notes on invoices, payment links and the front desk.</description>
<language>en</language>
${items.join('\n')}
</channel>
</rss>
`;
  return new Response(feed, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
};
