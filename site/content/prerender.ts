import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroPrerenderer, PathWithRoute } from 'astro';
import { languages } from '#shared/words/language';
import { openContent } from './content-database.ts';

/** The pages of the last build in Astro's cache folder, and the manifest with their cache keys. */
const [PAGES, MANIFEST] = ['dist', 'incremental-build.json'];
/** Most pages are posts, and a build never modifies a post after writing it. */
const POST = /^\/blog\/[^/]+$/;

type KeyedPage = Pick<PathWithRoute, 'pathname' | 'cacheKey'>;
type Manifest = { routes: Record<string, { paths: Record<string, { cacheKey?: unknown }> }> };

/**
 * Hard-links unchanged posts to the last build's pages: Astro does not write files that exist already. Without links,
 * each publication of a site with 5,000 posts would write 140 MB. A changed post is not linked: its new page would be
 * written through the link into the site that is being served. `pagesDir`: the folder of this build's pages, within
 * `outDir`. Returns the number of linked posts.
 */
export function linkUnchangedPages(paths: KeyedPage[], cacheDir: string, outDir: string, pagesDir: string): number {
  const keys = readKeys(path.join(cacheDir, MANIFEST));
  const cachedPages = path.join(cacheDir, PAGES, path.relative(outDir, pagesDir));
  const posts = paths.filter(
    ({ pathname, cacheKey }) => POST.test(pathname) && cacheKey !== undefined && keys.get(pathname) === cacheKey,
  );
  if (posts.length > 0) mkdirSync(path.join(pagesDir, 'blog'), { recursive: true });
  return posts.filter(({ pathname }) => {
    const file = `${encodeURI(pathname)}.html`;
    try {
      linkSync(path.join(cachedPages, file), path.join(pagesDir, file));
      return true;
    } catch {
      // Some file systems do not support links; Astro then writes the page.
      return false;
    }
  }).length;
}

function readKeys(manifest: string): Map<string, unknown> {
  try {
    const { routes } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    const pages = Object.values(routes).flatMap(({ paths }) => Object.entries(paths));
    return new Map(pages.map(([pathname, { cacheKey }]) => [pathname, cacheKey]));
  } catch {
    // The first build.
    return new Map();
  }
}

/** Built once per language. */
const PAYER_SHELLS = ['/make/payment/shell', '/make/payment/state', '/receipt-shell'];

/**
 * Pages whose only published content is the footer's list of static pages. A page with more content must not be listed,
 * or it would become stale. Without this list, Astro assigns keys only to pages with a parameter.
 */
export const FIXED_PAGES: ReadonlySet<string> = new Set([
  '/404',
  '/app/join',
  '/app/no-post',
  '/app/no-preview',
  '/app/page',
  '/app/page-failed',
  '/app/post',
  '/app/post-failed',
  '/app/shell',
  '/claims',
  '/cms/login',
  '/cms/shell',
  '/cookie-policy',
  '/demo',
  '/login',
  '/manifest.webmanifest',
  '/offline',
  '/operator/shell',
  '/privacy',
  '/proof',
  '/register',
  '/robots.txt',
  '/terms',
  ...PAYER_SHELLS.flatMap((shell) => languages.map((language) => `${shell}-${language}`)),
]);

/** Gives fixed pages a cache key derived from the footer's pages and the names of all scripts and styles. */
export function keyFixedPages(paths: PathWithRoute[], files: string[]): PathWithRoute[] {
  const footerKeys = paths.filter(({ pathname }) => pathname.startsWith('/pages/')).map(({ cacheKey }) => cacheKey);
  const key = createHash('sha256')
    .update(JSON.stringify([footerKeys, files.toSorted()]))
    .digest('hex');
  return paths.map((page) => (FIXED_PAGES.has(page.pathname) ? { ...page, cacheKey: key } : page));
}

/**
 * Renders the pages in the build's own process, with the database of `state` open, and keeps fixed pages that have not
 * changed since the last build. By default the adapter requests each page from a Worker, which took more than half of a
 * build's time with 5,000 posts. `linksPages`: unchanged posts are linked to the last build's pages.
 * docs/decisions/0029-pages-are-rendered-in-node.md
 */
export function prerender(state: string, linksPages: boolean): AstroIntegration {
  let config: AstroConfig | undefined;
  return {
    name: 'prerender',
    hooks: {
      'astro:config:done': (resolved) => {
        config = resolved.config;
      },
      'astro:build:start': ({ setPrerenderer }) => {
        if (!config) throw new Error('the build began before its configuration was done');
        const { build } = config;
        const [outDir, cacheDir] = [fileURLToPath(config.outDir), fileURLToPath(config.cacheDir)];
        const pages = fileURLToPath(build.client);
        setPrerenderer((original) => {
          const keyedPrerenderer = withKeys(original, () => loadedFiles(outDir, build.assets));
          const linkingPrerenderer = withPaths(keyedPrerenderer, (paths) =>
            linkUnchangedPages(paths, cacheDir, outDir, pages),
          );
          return withContent(linksPages ? linkingPrerenderer : keyedPrerenderer, state);
        });
      },
    },
  };
}

function withContent(prerenderer: AstroPrerenderer, state: string): AstroPrerenderer {
  let close = async () => {};
  return {
    ...prerenderer,
    setup: async () => {
      close = await openContent(state);
      await prerenderer.setup?.();
    },
    teardown: async () => {
      await prerenderer.teardown?.();
      await close();
    },
  };
}

const withKeys = (prerenderer: AstroPrerenderer, readFiles: () => string[]): AstroPrerenderer => ({
  ...prerenderer,
  getStaticPaths: async () => keyFixedPages(await prerenderer.getStaticPaths(), readFiles()),
});

/** Calls `onPaths` once the build's pages are known and its folder is empty. */
const withPaths = (prerenderer: AstroPrerenderer, onPaths: (paths: PathWithRoute[]) => void): AstroPrerenderer => ({
  ...prerenderer,
  getStaticPaths: async () => {
    const paths = await prerenderer.getStaticPaths();
    onPaths(paths);
    return paths;
  },
});

/** Names of the scripts and styles of all pages, which may share files. A file's name changes with its content. */
const loadedFiles = (folder: string, assets: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(path.dirname(file)) === assets)
    .map((file) => path.basename(file));
