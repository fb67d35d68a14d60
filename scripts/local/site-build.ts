import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { publicRowConditions } from '#site/content/published.ts';
import { run } from './processes.ts';
import type { Local } from './settings.ts';

const FOLDER = 'v3/d1/miniflare-D1DatabaseObject';

/** The content of the site; see site/content/read-site.ts. */
const COPIES = [
  'CREATE TABLE site_state AS SELECT * FROM product.site_state',
  `CREATE TABLE articles AS SELECT * FROM product.articles WHERE ${publicRowConditions.articles}`,
  `CREATE TABLE media AS SELECT * FROM product.media WHERE ${publicRowConditions.media}`,
  'CREATE UNIQUE INDEX articles_id ON articles (id)',
];

/**
 * Copies the published content from the product's local database, in one consistent read, into a database for the
 * build. Two database engines on one file interfere with each other. Returns the copy's state folder.
 */
export function copyContent(state: string): string {
  const copy = path.join(state, 'content');
  const [name, extra] = globSync('*.sqlite', { cwd: path.join(state, FOLDER) }).filter(
    (file) => file !== 'metadata.sqlite',
  );
  if (name === undefined || extra !== undefined) throw new Error(`${state} contains no database, or more than one`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.join(copy, FOLDER), { recursive: true });
  const db = new DatabaseSync(path.join(copy, FOLDER, name), { timeout: 10_000 });
  try {
    db.prepare('ATTACH ? AS product').run(path.join(state, FOLDER, name));
    db.exec(`BEGIN;\n${COPIES.join(';\n')};\nCOMMIT`);
  } finally {
    db.close();
  }
  return copy;
}

const POLL_MS = 200;
/** Longer than any such work. An older lock is stale, because its process id may have been reused. */
const STALE_MS = 10 * 60_000;

/**
 * Runs work that two processes must not do in this tree at the same time; the second one waits. The file holds the
 * process id, so a killed process blocks no one.
 */
export async function oneAtATime<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  while (!tryLock(file)) {
    if (isStale(file)) rmSync(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

function isStale(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const INPUTS = [
  'site',
  'worker',
  'shared',
  'migrations',
  'astro.config.mjs',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** One hash over all inputs of the built site. */
export function inputHash(appUrl: string): string {
  const hash = createHash('sha256').update(appUrl);
  const files = INPUTS.flatMap((input) =>
    statSync(input, { throwIfNoEntry: false })?.isDirectory() ? globSync(`${input}/**/*`).sort() : [input],
  );
  for (const file of files) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile() || /\.test\.tsx?$/.test(file)) continue;
    hash.update(file.replaceAll(path.sep, '/')).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export const siteFolder = (state: string): string => path.join(state, 'site');

const stampOf = (state: string): string => path.join(siteFolder(state), 'inputs.sha256');

/** True if the state folder contains a build of the current tree. */
export function isBuilt({ state, appUrl }: Local): boolean {
  return existsSync(stampOf(state)) && readFileSync(stampOf(state), 'utf8') === inputHash(appUrl);
}

/** Builds the site and the Worker into the state folder. */
export async function buildSite(local: Local): Promise<void> {
  const folder = siteFolder(local.state);
  const next = `${folder}-next`;
  await makeBuild(local, next);
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

/** Builds into its own folder, which it empties first. `onLine` gets the build's output. */
export async function makeBuild(local: Local, folder: string, onLine?: (line: string) => void): Promise<void> {
  const hash = inputHash(local.appUrl);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(local.state, { recursive: true });
  const env = {
    TILLWAY_STATE: local.state,
    CONTENT_STATE: copyContent(local.state),
    OUT_DIR: folder,
    APP_URL: local.appUrl,
    // Linked pages only if the code is the same: a changed page would be written through its link into the live site.
    LINKS_PAGES: String(isBuilt(local)),
    // Always production: a development build has no content policy on the pay page.
    NODE_ENV: 'production',
  };
  // Builds of one tree share a file in .wrangler/deploy to find each other's parts.
  await oneAtATime('.wrangler/building', () => run('astro', ['build'], env, onLine));
  // A build without the Worker still looks like a site.
  if (!existsSync(path.join(folder, 'server/entry.mjs'))) throw new Error('the build contains no Worker');
  rmSync(path.join(folder, 'server/.dev.vars'), { force: true });
  writeFileSync(path.join(folder, 'inputs.sha256'), hash);
}
