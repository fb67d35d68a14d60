import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration, AstroPrerenderer, PathWithRoute } from 'astro';
import { openContent } from './content-database.ts';
import { linkKeptPages } from './linked-pages.ts';
import { keyFixedPages } from './reuse-pages.ts';

/**
 * Renders the pages in the process of the build, with the database of `state` open, and keeps the fixed pages that have
 * not changed since the last build. By itself the adapter asks a Worker for each page: with 5,000 posts the asking was
 * more than half of a build's work. `linksPages`: posts that have not changed are links to what the last build kept.
 * docs/decisions/0029-pages-are-rendered-in-node.md
 */
export function prerender(state: string, linksPages: boolean): AstroIntegration {
  let config: AstroConfig | undefined;
  return {
    name: 'prerender',
    hooks: {
      'astro:config:done': (told) => {
        config = told.config;
      },
      'astro:build:start': ({ setPrerenderer }) => {
        if (!config) throw new Error('the build began before its configuration was done');
        const { build } = config;
        const [outDir, cacheDir] = [fileURLToPath(config.outDir), fileURLToPath(config.cacheDir)];
        const pages = fileURLToPath(build.client);
        setPrerenderer((own) => {
          const keyed = withKeys(own, () => loadedFiles(outDir, build.assets));
          const linked = withPaths(keyed, (paths) => linkKeptPages(paths, cacheDir, outDir, pages));
          return withContent(linksPages ? linked : keyed, state);
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

/** Does this once the pages of the build are known and its folder is empty. */
const withPaths = (prerenderer: AstroPrerenderer, does: (paths: PathWithRoute[]) => void): AstroPrerenderer => ({
  ...prerenderer,
  getStaticPaths: async () => {
    const paths = await prerenderer.getStaticPaths();
    does(paths);
    return paths;
  },
});

/** Names of the scripts and styles of all pages, since one file may hold code of several. They change with content. */
const loadedFiles = (folder: string, assets: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(path.dirname(file)) === assets)
    .map((file) => path.basename(file));
