import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The migrations, and the list from which a clinic's database applies them. */
const SCHEMA = ['migrations', 'worker/clinic/migrations.ts'];

/** The commit of the previous release, from the changelog. Throws an Error if it names none. */
export function commitBefore(changelog: string): string {
  const [, commit] = /^Release before: `([0-9a-f]{40})`/m.exec(changelog) ?? [];
  if (!commit)
    throw new Error('CHANGELOG.md has no line "Release before: `COMMIT`", with the full hash of the commit.');
  return commit;
}

/**
 * Checks out the previous release into a new folder with the schema of this tree, so that its code runs on the database
 * that a deploy would leave. Throws an Error if this clone has no such commit.
 */
export function checkOut(commit: string, folder: string, root = process.cwd()): void {
  const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  if (git('cat-file', '-e', `${commit}^{commit}`).status !== 0)
    throw new Error(
      `This clone has no commit ${commit}, the previous release in CHANGELOG.md. Fetch the whole history (git fetch --unshallow) and run it again.`,
    );
  const result = git('worktree', 'add', '--detach', folder, commit);
  if (result.status !== 0) throw new Error(result.stderr.trim());
  for (const file of SCHEMA) {
    if (!existsSync(path.join(root, file))) throw new Error(`This tree has no ${file}.`);
    rmSync(path.join(folder, file), { recursive: true, force: true });
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
  }
}

export function removeTree(folder: string, root = process.cwd()): void {
  spawnSync('git', ['-C', root, 'worktree', 'remove', '--force', folder]);
}
