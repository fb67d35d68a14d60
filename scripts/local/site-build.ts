import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyContent } from './copy-content.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { run } from './processes.ts';
import type { Local } from './settings.ts';

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

/** Whether the state folder holds a build of the current tree. */
export function isBuilt({ state, appUrl }: Local): boolean {
  return existsSync(stampOf(state)) && readFileSync(stampOf(state), 'utf8') === inputHash(appUrl);
}

/** Build the site and the Worker into the state folder. */
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
    // Pages that other code rendered would be written through their links, into the site that is served.
    LINKS_PAGES: String(isBuilt(local)),
    // Always production: a development build has no content policy on the pay page.
    NODE_ENV: 'production',
  };
  // Builds of one tree share a file in .wrangler/deploy to find each other's parts.
  await oneAtATime('.wrangler/building', () => run('astro', ['build'], env, onLine));
  // A build that lost the Worker still looks like a site.
  if (!existsSync(path.join(folder, 'server/entry.mjs'))) throw new Error('the build holds no Worker');
  rmSync(path.join(folder, 'server/.dev.vars'), { force: true });
  writeFileSync(path.join(folder, 'inputs.sha256'), hash);
}
