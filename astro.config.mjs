import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import cloudflare from '@astrojs/cloudflare';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { contentAsEnv } from './site/content/content-database.ts';
import { loadAhead } from './site/content/load-ahead.ts';
import { operatorsWords } from './site/content/operator-texts.ts';
import { prerender } from './site/content/prerender.ts';
import { reportLocation } from './site/content/report-location.ts';
import { scriptsLast } from './site/content/scripts-last.ts';
import { addPartsPage } from './site/parts-page/add-parts-page.ts';

// These names in the caller's environment would override Astro's own: the build would behave like a dev server, read
// the database again for each page and send no content policy.
for (const name of ['DEV', 'PROD', 'MODE']) delete process.env[name];

/** Every page is built ahead of time; `output: 'server'` only makes the adapter keep the Worker. */
const prerenderAll = {
  name: 'prerender-all',
  hooks: {
    'astro:route:setup': ({ route }) => {
      route.prerender = true;
    },
  },
};

/** Server code is not minified by default; minifying keeps the Worker small. */
const minifyWorker = {
  name: 'minify-worker',
  configEnvironment: (name) => (name === 'ssr' ? { build: { minify: true } } : undefined),
};

/** The prerender code runs only in the build, so it may be one large chunk. Astro leaves its entry to the adapter. */
const prerenderCode = {
  name: 'prerender-code',
  configEnvironment: (name) =>
    name === 'prerender'
      ? {
          resolve: { noExternal: true },
          build: {
            // Its styles are those of the pages, so their target is browsers, not Node.
            cssMinify: true,
            cssTarget: 'es2024',
            chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
            rolldownOptions: { input: 'astro/entrypoints/prerender' },
          },
        }
      : undefined,
};

/**
 * Code shared by several pages or screens becomes a few chunks, by folder: the first matching group gets a module with
 * its imports. docs/decisions/0019-bundle-groups.md explains why some files are named.
 */
const clientGroups = [
  {
    name: 'react',
    test: /node_modules\/(react|react-dom|scheduler)\/|site\/islands\/(island|ui\/translation-guard)\./,
  },
  { name: 'zod', test: /node_modules\/zod\//, minShareCount: 2 },
  { name: 'mail-values', test: /shared\/contracts\/lists\/mail-values/, minShareCount: 2 },
  {
    name: 'parts',
    test: /site\/islands\/ui\/((?!Wordmark|AppBar|Money|format-moment|translation-guard)[^/]+$|form\/|feedback\/(Banner|StatusSteps)\.)|shared\/(?!\w+-rule|limits|partners)[^/]+$|site\/styles\/parts\/(?!table\/)/,
    minShareCount: 3,
  },
  {
    name: 'base',
    test: /site\/islands\/ui\/((?!Wordmark)[^/]+$|api\/(?!save-file)|routing\/)|preload-helper/,
    minShareCount: 2,
  },
  {
    name: 'feedback',
    test: /site\/islands\/ui\/(feedback\/(?!ConfirmedAction|Dialog|open-dialog|UndoBar)|table\/(use-list|list-))/,
    minShareCount: 3,
  },
  { name: 'table', test: /site\/(islands\/ui\/table|styles\/parts\/table)\//, minShareCount: 3 },
  { name: 'boundary', test: /site\/islands\/ui\/feedback\/ScreenError/, minShareCount: 2 },
  {
    name: 'load',
    test: /site\/islands\/merchant\/(common\/use-load)\./,
    minShareCount: 2,
  },
  {
    name: 'app',
    test: /site\/islands\/merchant\/(api\/(?!step-up)|common\/(?!RequireRight|clinic-time|AccountBar|MoreIcon|card-readers)|shell\/|lists\/(customers|use-list)\.)/,
    minShareCount: 2,
  },
  {
    name: 'lists',
    test: /site\/islands\/merchant\/(lists\/(?!export-list|ListNotice\.|invoices|range|use-owed)|mail\/(?!CopyLink|MailAlert|MailDialog|mail-words)|pay-links\/open-invoices)/,
    minShareCount: 2,
  },
  {
    name: 'later',
    test: /site\/islands\/(merchant\/(mail\/(MailAlert|CopyLink)|lists\/use-owed)|ui\/feedback\/UndoBar)\./,
    minShareCount: 2,
  },
];
/** The code that the Worker loads at startup is one chunk, which the areas share. */
const workerGroups = [{ name: 'start', tags: ['$initial'] }];
/** Every island has loaded these chunks before it requests more, so the preload lists omit them. */
const withoutFirstOnes = (_file, files) =>
  files.filter((file) => !/\/(react|rolldown-runtime|base|parts|app|feedback)\.[^.]+\.js$/.test(file));
const inGroups = (groups) => ({ codeSplitting: { groups } });
/** The adapter's default banner is a shim for Node's globals, which browsers do not need. */
const NO_BANNER = ';';
const joinSharedParts = {
  name: 'join-shared-parts',
  configEnvironment: (name) => ({
    build: {
      ...(name === 'client' && { modulePreload: { resolveDependencies: withoutFirstOnes } }),
      rolldownOptions: {
        output: name === 'client' ? { ...inGroups(clientGroups), banner: NO_BANNER } : inGroups(workerGroups),
      },
    },
  }),
};

/** `client:after-card`, for the pay page. */
const afterCard = {
  name: 'after-card',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'after-card', entrypoint: './site/islands/pay/after-card.ts' }),
  },
};

const islandClient = fileURLToPath(new URL('./site/islands/island.ts', import.meta.url));

/** Pages inline the scripts of this folder as written; Astro only hashes its own scripts for the content policy. */
const inline = new URL('./site/inline/', import.meta.url);
const inlineHashes = readdirSync(inline).map(
  (name) =>
    /** @type {const} */ (
      `sha256-${createHash('sha256')
        .update(readFileSync(new URL(name, inline)))
        .digest('base64')}`
    ),
);

// One folder holds all local state that lasts; the build reads its D1 and keeps its cache there.
const state = process.env.TILLWAY_STATE ?? '.wrangler/state';
// While the product runs, the build reads a copy of its state.
const content = process.env.CONTENT_STATE ?? state;

// A build that shared Vite's cache with a running dev server would delete that server's prepared modules.
const isDev = process.argv.includes('dev');
const ownCache = isDev ? { cacheDir: `${state}/vite` } : {};

export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  outDir: process.env.OUT_DIR ?? './dist',
  cacheDir: `${state}/astro`,
  site: process.env.APP_URL ?? 'http://localhost:8787',
  output: 'server',
  session: false,
  trailingSlash: 'never',
  // Sixteen pages at once: some render while others are written. The output is the same.
  build: { format: 'file', concurrency: 16 },
  devToolbar: { enabled: false },
  security: {
    csp: {
      scriptDirective: { hashes: inlineHashes },
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ],
    },
  },
  // A page with a cache key is rendered again only if the key or the page's code changed.
  experimental: { incrementalBuild: true },
  // The Worker is uploaded as built here, so minify it here.
  vite: {
    ...ownCache,
    // docs/decisions/0032-own-island-client.md
    resolve: { alias: { '@astrojs/react/client.js': islandClient } },
    plugins: [
      contentAsEnv,
      operatorsWords(process.env.OPERATOR_WORDS),
      loadAhead,
      minifyWorker,
      prerenderCode,
      joinSharedParts,
      reportLocation,
    ],
  },
  adapter: cloudflare({
    imageService: 'passthrough',
    // The dev server's Worker has the database open already.
    prerenderEnvironment: isDev ? 'workerd' : 'node',
    persistState: { path: content },
    // With a fixed debugger port, two builds at the same time would fail.
    inspectorPort: false,
  }),
  integrations: [
    react(),
    prerenderAll,
    prerender(content, process.env.LINKS_PAGES === 'true'),
    afterCard,
    scriptsLast,
    addPartsPage,
  ],
});
