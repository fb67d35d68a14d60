import type { SiteArticle } from './read-site.ts';

/** The first page shows one large post above three rows of three. */
const FIRST = 10;
const LATER = 24;

/** The posts, page by page; there is always a first page. */
export function blogPages(posts: SiteArticle[]): SiteArticle[][] {
  const pages = [posts.slice(0, FIRST)];
  for (let at = FIRST; at < posts.length; at += LATER) pages.push(posts.slice(at, at + LATER));
  return pages;
}
