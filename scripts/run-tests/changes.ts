import { spawnSync } from 'node:child_process';

/** The files that differ from a base. `base` null: there is none, and `changed` is empty. */
export type Changes = { base: string | null; changed: string[] };

/** Throws a sentence when the given base is no commit. */
export function readChanges(given: string | null, root = '.'): Changes {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const commitOf = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (given !== null && commitOf(given) === null) throw new Error(`--base needs a commit, and "${given}" is none.`);
  const base = given ?? baseOf(git);
  if (base === null) return { base, changed: [] };
  // A renamed file counts by both its names.
  const changed = git('diff', '--name-only', '--no-renames', '--relative', base) ?? '';
  const added = git('ls-files', '--others', '--exclude-standard') ?? '';
  return { base, changed: [...new Set(`${changed}\n${added}`.split('\n').filter(Boolean))].sort() };
}

type Git = (...args: string[]) => string | null;

/** Where this branch left the one that is landed on; on that one itself, what is not committed. */
function baseOf(git: Git): string | null {
  for (const landed of ['origin/main', 'main']) {
    const left = git('merge-base', 'HEAD', landed);
    if (left === null) continue;
    return left !== git('rev-parse', 'HEAD') || git('status', '--porcelain') !== '' ? left : null;
  }
  return null;
}
