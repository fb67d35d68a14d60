/** The first page shows one large post above three rows of three. */
const FIRST = 10;
const LATER = 24;
/** The second page takes the remainder, and at least this many posts, so that it never shows only a few. */
const FEWEST = 12;

/**
 * Splits the posts into pages; there is always a first one. From the third page on, pages are counted from the oldest
 * post, so a new post changes only the first two until a further page is full. Counted from the newest, each
 * publication would shift all posts and render every list anew.
 */
export function blogPages<Post>(posts: Post[]): Post[][] {
  const rest = posts.slice(FIRST);
  const second = rest.length <= LATER ? rest.length : FEWEST + ((rest.length - FEWEST) % LATER);
  const pages = [posts.slice(0, FIRST)];
  if (second > 0) pages.push(rest.slice(0, second));
  for (let at = second; at < rest.length; at += LATER) pages.push(rest.slice(at, at + LATER));
  return pages;
}
