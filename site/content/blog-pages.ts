/** The first page shows one large post above three rows of three. */
const FIRST = 10;
const LATER = 24;
/** The second page takes what is left over, and at least this many, so that it is not seen with two or three. */
const FEWEST = 12;

/**
 * The posts, page by page; there is always a first page. From the third page on they are counted from the oldest: a new
 * post changes the first two alone, until one page more is full. Counted from the newest it would move to another place
 * in every list, and each publication would render them all.
 */
export function blogPages<Post>(posts: Post[]): Post[][] {
  const rest = posts.slice(FIRST);
  const second = rest.length <= LATER ? rest.length : FEWEST + ((rest.length - FEWEST) % LATER);
  const pages = [posts.slice(0, FIRST)];
  if (second > 0) pages.push(rest.slice(0, second));
  for (let at = second; at < rest.length; at += LATER) pages.push(rest.slice(at, at + LATER));
  return pages;
}
