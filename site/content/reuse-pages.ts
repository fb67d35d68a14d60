import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroPrerenderer, PathWithRoute } from 'astro';

/**
 * Pages whose only published content is the footer's list of static pages. A page that shows more must not be listed:
 * it would go stale. Without this list, Astro keys only pages whose address has a parameter.
 */
export const FIXED: ReadonlySet<string> = new Set([
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
  '/make/payment/shell-en',
  '/make/payment/shell-es',
  '/make/payment/state-en',
  '/make/payment/state-es',
  '/manifest.webmanifest',
  '/offline',
  '/operator/shell',
  '/privacy',
  '/proof',
  '/receipt-shell-en',
  '/receipt-shell-es',
  '/register',
  '/robots.txt',
  '/terms',
]);

/** Gives the fixed pages a key: the pages in the footer, and the names of all scripts and styles that they may load. */
export function keyFixedPages(paths: PathWithRoute[], files: string[]): PathWithRoute[] {
  const foot = paths.filter(({ pathname }) => pathname.startsWith('/pages/')).map(({ cacheKey }) => cacheKey);
  const key = createHash('sha256')
    .update(JSON.stringify([foot, files.toSorted()]))
    .digest('hex');
  return paths.map((one) => (FIXED.has(one.pathname) ? { ...one, cacheKey: key } : one));
}

/** The adapter, with a prerenderer that reuses fixed pages that have not changed since the last build. */
export function reusingPages(adapter: AstroIntegration): AstroIntegration {
  let config: AstroConfig | undefined;
  const withKeys = (prerenderer: AstroPrerenderer): AstroPrerenderer => {
    const readPaths = prerenderer.getStaticPaths.bind(prerenderer);
    prerenderer.getStaticPaths = async () => keyFixedPages(await readPaths(), loadedFiles(config));
    return prerenderer;
  };
  const { 'astro:config:done': done, 'astro:build:start': start, ...hooks } = adapter.hooks;
  return {
    ...adapter,
    hooks: {
      ...hooks,
      'astro:config:done': (told) => {
        config = told.config;
        return done?.(told);
      },
      'astro:build:start': (told) =>
        start?.({
          ...told,
          setPrerenderer: (given) =>
            told.setPrerenderer(typeof given === 'function' ? (own) => withKeys(given(own)) : withKeys(given)),
        }),
    },
  };
}

/** Names of the scripts and styles of all pages, since one file may hold code of several. They change with content. */
function loadedFiles(config: AstroConfig | undefined): string[] {
  if (!config) throw new Error('the build began before its configuration was done');
  return readdirSync(fileURLToPath(config.outDir), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(path.dirname(file)) === config.build.assets)
    .map((file) => path.basename(file));
}
