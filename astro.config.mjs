import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import cloudflare from '@astrojs/cloudflare';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { reusingPages } from './site/content/reuse-pages.ts';
import { sayWhere } from './site/content/say-where.ts';
import { scriptsLast } from './site/content/scripts-last.ts';
import { addPartsPage } from './site/parts-page/add-parts-page.ts';

// What the caller's environment calls so would take the place of Astro's own: a build would behave as a dev server, read the
// database again for each page and send no content policy.
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

/** Server code is left readable by default; the Worker is small because it is not. */
const minifyWorker = {
  name: 'minify-worker',
  configEnvironment: (name) => (name === 'client' ? undefined : { build: { minify: true } }),
};

/** What several pages or screens load comes as few files: left to itself the build makes one of each part. */
const clientGroups = [
  { name: 'react', priority: 3, test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react)\// },
  {
    name: 'parts',
    priority: 2,
    test: /site\/islands\/ui\/(Badge|DetailRows|Icon|format-moment|feedback\/(Banner|StatusSteps)|form\/(Button|Field|FieldError))\.tsx?$|shared\/(contact|money|operator|paths)\.ts|feedback\/notice\.css/,
  },
  {
    name: 'base',
    priority: 2,
    test: /site\/islands\/ui\/(AppBar|api\/|routing\/)|preload-helper/,
  },
  {
    name: 'table',
    priority: 1,
    test: /site\/islands\/ui\/(table\/|feedback\/(Dialog|Disclosure|Toasts|toast|use-dismiss|use-float)|form\/Select)|table\/list-head\.css/,
  },
  {
    name: 'app',
    priority: 1,
    test: /site\/islands\/merchant\/(api\/(?!log-failure)|parts\/(AccountBar|ApiErrorPart|AppBoundary|Lazy|LogOut|amount)|shell\/(screens|views)|lists\/(customers|use-list))/,
  },
  {
    name: 'mail',
    priority: 1,
    test: /site\/islands\/merchant\/(mail\/(CopyLink|MailAlert|MailButton|mail-kinds|use-mail)|pay-links\/open-invoices)\.tsx?$/,
  },
  {
    name: 'lists',
    test: /site\/islands\/(merchant\/(lists\/(?!Invoice|Customer|Range|invoices|range)|parts\/InvoiceStatus)|ui\/Money)/,
  },
];
/** Likewise what the Worker's areas share: each file of its own costs as much again as is in it. */
const workerGroups = [
  {
    name: 'small',
    test: /shared\/(text\/escape|operator|partners|paths|contracts\/content)\.ts|worker\/(log|files\/signature|http\/reply\/page-template|security\/token-cipher|vendors\/(http|clearent\/(http|look-up|transaction|wire)|hubspot\/(http|tokens|wire))|data\/(select-values|merchants\/merchants|mail\/outbox|payments\/attempts|terminals\/terminals)|domain\/(crm-sync\/access|mail\/letter|pay-links\/merchant-pay-link|payments\/(earlier-attempts|inquire-status|look-up-charge|new-attempt|pay-reply|price|settle|settle-and-mail)))\.ts|mini\/coerce\.js/,
  },
];
const inGroups = (groups) => ({ codeSplitting: { groups } });
/** The adapter begins each file with a stand-in for Node's globals, which nothing in a browser asks for. */
const NO_BANNER = ';';
const joinSharedParts = {
  name: 'join-shared-parts',
  configEnvironment: (name) => ({
    build: {
      rolldownOptions: {
        output: name === 'client' ? { ...inGroups(clientGroups), banner: NO_BANNER } : inGroups(workerGroups),
      },
    },
  }),
};

/** A page carries the scripts of this folder as they are written; Astro knows the hashes of its own only. */
const inline = new URL('./site/inline/', import.meta.url);
const inlineHashes = readdirSync(inline).map(
  (name) =>
    /** @type {const} */ (
      `sha256-${createHash('sha256')
        .update(readFileSync(new URL(name, inline)))
        .digest('base64')}`
    ),
);

// One folder holds everything local that lasts; the build reads that folder's D1 and keeps its cache there.
const state = process.env.TILLWAY_STATE ?? '.wrangler/state';
// Beside a product that runs, a build reads a copy.
const content = process.env.CONTENT_STATE ?? state;

// A build beside a dev server would take away what that one has prepared.
const ownCache = process.argv.includes('dev') ? { cacheDir: `${state}/vite` } : {};

export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  outDir: process.env.OUT_DIR ?? './dist',
  cacheDir: `${state}/astro`,
  site: process.env.APP_URL ?? 'http://localhost:8787',
  output: 'server',
  session: false,
  trailingSlash: 'never',
  build: { format: 'file' },
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
        "base-uri 'self'",
        "form-action 'self'",
      ],
    },
  },
  // A page with a cache key is rendered again only when the key or the code behind it changes.
  experimental: { incrementalBuild: true },
  // The Worker is uploaded as it is built here.
  vite: { ...ownCache, plugins: [minifyWorker, joinSharedParts, sayWhere] },
  adapter: reusingPages(
    cloudflare({
      imageService: 'passthrough',
      persistState: { path: content },
      // A debugger's fixed port would make two builds at the same time fail.
      inspectorPort: false,
    }),
  ),
  integrations: [react(), prerenderAll, scriptsLast, addPartsPage],
});
