import type { SiteArticle } from './read-site.ts';

/** The first page shows one post large above rows of three. */
const FIRST = 10;
const LATER = 24;

/** The list of posts, page by page; there always is a first one. */
export function blogPages(posts: SiteArticle[]): SiteArticle[][] {
  const pages = [posts.slice(0, FIRST)];
  for (let at = FIRST; at < posts.length; at += LATER) pages.push(posts.slice(at, at + LATER));
  return pages;
}
