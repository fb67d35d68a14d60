import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkOut, commitBefore, removeTree } from './release-before/tree.ts';

/**
 * `npm run test:before`: runs the previous release with its own tests on the schema of this tree. A deploy migrates
 * before it uploads code, and a rollback keeps the schema, so the older code must work with it. Runs only tests of the
 * whole product: others compare a tree with its own lists of tables.
 */
const PARTS = ['whole'];

const folder = path.join(mkdtempSync(path.join(tmpdir(), 'tillway-before-')), 'tree');
try {
  const commit = commitBefore(readFileSync('CHANGELOG.md', 'utf8'));
  checkOut(commit, folder);
  console.log(`the previous release is ${commit}; its tests run on the schema of this tree`);
  runInTree('npm', ['ci', '--no-audit', '--no-fund']);
  runInTree('npm', ['test', '--', ...PARTS]);
} catch (cause) {
  console.error(`test:before: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
} finally {
  removeTree(folder);
  rmSync(path.dirname(folder), { recursive: true, force: true });
}

function runInTree(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status} in the tree of the previous release`);
}
