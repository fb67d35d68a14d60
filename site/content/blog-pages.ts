/** The first page shows one large post above three rows of three. */
const FIRST_SIZE = 10;
const LATER_SIZE = 24;
/** The second page holds the remainder, but at least this many posts. */
const MIN_SECOND_SIZE = 12;

/**
 * Splits the posts into pages; there is always a first one. From the third on, pages are filled from the oldest post,
 * so a new post changes only the first two pages until another page is full. If they were filled from the newest post,
 * each publication would change every page.
 */
export function blogPages<Post>(posts: Post[]): Post[][] {
  const remaining = posts.slice(FIRST_SIZE);
  const secondSize =
    remaining.length <= LATER_SIZE
      ? remaining.length
      : MIN_SECOND_SIZE + ((remaining.length - MIN_SECOND_SIZE) % LATER_SIZE);
  const pages = [posts.slice(0, FIRST_SIZE)];
  if (secondSize > 0) pages.push(remaining.slice(0, secondSize));
  for (let start = secondSize; start < remaining.length; start += LATER_SIZE)
    pages.push(remaining.slice(start, start + LATER_SIZE));
  return pages;
}
