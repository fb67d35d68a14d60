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

/** One hash over everything that the built site depends on. */
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

/** Whether the state folder holds the very build that the tree as it is would give. */
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

/** Build into a folder of its own, which is emptied first. `onLine` hears what the build says. */
export async function makeBuild(local: Local, folder: string, onLine?: (line: string) => void): Promise<void> {
  const hash = inputHash(local.appUrl);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(local.state, { recursive: true });
  const env = {
    TILLWAY_STATE: local.state,
    CONTENT_STATE: copyContent(local.state),
    OUT_DIR: folder,
    APP_URL: local.appUrl,
    // Whatever the caller runs as: a build for development has no content policy on the pay page.
    NODE_ENV: 'production',
  };
  // Builds of one tree tell their parts of each other through one file in .wrangler/deploy.
  await oneAtATime('.wrangler/building', () => run('astro', ['build'], env, onLine));
  // A build that lost the Worker still looks like a site.
  if (!existsSync(path.join(folder, 'server/entry.mjs'))) throw new Error('the build holds no Worker');
  rmSync(path.join(folder, 'server/.dev.vars'), { force: true });
  writeFileSync(path.join(folder, 'inputs.sha256'), hash);
}
