import { linkSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PathWithRoute } from 'astro';

/** What Astro keeps of its last build in its cache's folder: its pages, and the key that each was rendered for. */
const [PAGES, MANIFEST] = ['dist', 'incremental-build.json'];
/** Pages of posts: they are the many, and nothing changes one after it was written. */
const POST = /^\/blog\/[^/]+$/;

type Keyed = Pick<PathWithRoute, 'pathname' | 'cacheKey'>;
type Manifest = { routes: Record<string, { paths: Record<string, { cacheKey?: unknown }> }> };

/**
 * Gives the posts that have not changed the pages of the last build, by a link in place of a copy: what Astro finds in its
 * place it does not write. Without links, 5,000 posts cost 140 MB of writing at each publication. A post that has changed
 * gets none, for its new page would be written through it, into a site that is served. `built`: the folder of this build's
 * pages, within `outDir`. Answers how many there were.
 */
export function linkKeptPages(paths: Keyed[], cacheDir: string, outDir: string, built: string): number {
  const keys = keptKeys(path.join(cacheDir, MANIFEST));
  const kept = path.join(cacheDir, PAGES, path.relative(outDir, built));
  const posts = paths.filter(
    ({ pathname, cacheKey }) => POST.test(pathname) && cacheKey !== undefined && keys.get(pathname) === cacheKey,
  );
  if (posts.length > 0) mkdirSync(path.join(built, 'blog'), { recursive: true });
  return posts.filter(({ pathname }) => {
    const file = `${encodeURI(pathname)}.html`;
    try {
      linkSync(path.join(kept, file), path.join(built, file));
      return true;
    } catch {
      // Some file systems have no links: Astro copies.
      return false;
    }
  }).length;
}

function keptKeys(manifest: string): Map<string, unknown> {
  try {
    const { routes } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    const pages = Object.values(routes).flatMap(({ paths }) => Object.entries(paths));
    return new Map(pages.map(([pathname, { cacheKey }]) => [pathname, cacheKey]));
  } catch {
    // The first build.
    return new Map();
  }
}
