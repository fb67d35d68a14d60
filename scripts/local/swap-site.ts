import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** File that lists the files of a folder that are not served. */
const IGNORED = '.assetsignore';
/** Names the served build. Its presence means that all other files are served. */
const BUILT = 'built.json';

export type Swap = { changed: string[]; removed: string[] };

/**
 * Swaps in the files of a new build while the Worker serves the old one. Each file is replaced atomically, so a request
 * gets it from one build or the other, and the files that a page needs are copied before the page. Removed files are no
 * longer served but stay until the next start, because the server fails if a file disappears. Once the server responds
 * at the address of `mark`, it has all files, and `showBuilt` may be called.
 */
export function swapSite(next: string, live: string, mark: string): Swap {
  const newFiles = filesIn(next).filter((file) => file !== BUILT);
  const changed = newFiles.filter((file) => !isSame(path.join(next, file), path.join(live, file)));
  const newFileSet = new Set(newFiles);
  const removed = filesIn(live).filter((file) => !newFileSet.has(file) && isPage(file) && file !== BUILT);
  const ownEntries = readFileSync(path.join(next, IGNORED), 'utf8').trimEnd();
  for (const file of changed.sort((a, b) => rank(a) - rank(b)))
    replaceFile(path.join(next, file), path.join(live, file));
  const ignored = path.join(live, IGNORED);
  writeFileSync(`${ignored}.new`, `${[ownEntries, ...removed.map((file) => `/${file}`)].join('\n')}\n`);
  renameSync(`${ignored}.new`, ignored);
  writeFileSync(path.join(live, mark), 'The server has taken note of the build.\n');
  return { changed, removed };
}

export const showBuilt = (next: string, live: string): void =>
  replaceFile(path.join(next, BUILT), path.join(live, BUILT));

/** False for scripts and styles: those of the earlier build are kept, because open pages may still request them. */
const isPage = (file: string): boolean => !file.startsWith('_astro/');

const rank = (file: string): number => (isPage(file) ? 1 : 0);

function filesIn(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
}

function isSame(first: string, second: string): boolean {
  if (!existsSync(second) || statSync(first).size !== statSync(second).size) return false;
  return readFileSync(first).equals(readFileSync(second));
}

function replaceFile(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  // Copy beside the target first, so that the last step is atomic.
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}
