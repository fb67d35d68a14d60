import { linkSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { PathWithRoute } from 'astro';

/** Pages of posts: they are the many, and nothing changes one after it was written. */
const POST = /^\/blog\/[^/]+$/;

/**
 * Gives the posts that are still there the pages that the last build kept, by a link in place of a copy: what Astro finds
 * in its place it does not write again, and one that it renders anew it writes through the link, into both. Without links,
 * 5,000 posts cost 140 MB of writing at each publication. Answers how many there were.
 */
export function linkKeptPages(paths: Pick<PathWithRoute, 'pathname'>[], kept: string, built: string): number {
  const posts = paths.filter(({ pathname }) => POST.test(pathname));
  if (posts.length > 0) mkdirSync(path.join(built, 'blog'), { recursive: true });
  return posts.filter(({ pathname }) => {
    const file = `${encodeURI(pathname)}.html`;
    try {
      linkSync(path.join(kept, file), path.join(built, file));
      return true;
    } catch {
      // A new post has none, and some file systems have no links: Astro renders it, or copies.
      return false;
    }
  }).length;
}
