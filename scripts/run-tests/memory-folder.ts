import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'tillway-run-';
const NEEDED_BYTES = 8 * 1024 ** 3;

/**
 * A folder in memory for the temporary files of a test run, or undefined without room for it. Local databases wait for
 * the disk at every write, and their tests have thousands. Removes the folders of killed runs.
 */
export function makeMemoryFolder(root = MEMORY, neededBytes = NEEDED_BYTES): string | undefined {
  try {
    for (const name of readdirSync(root)) if (isLeftBehind(name)) rmSync(path.join(root, name), { recursive: true });
    const { bavail, bsize } = statfsSync(root);
    if (Math.min(bavail * bsize, freemem()) < neededBytes) return undefined;
    const folder = path.join(root, `${PREFIX}${process.pid}`);
    mkdirSync(folder);
    return folder;
  } catch {
    // Not Linux, or not writable: the usual folder also works, only slower.
    return undefined;
  }
}

function isLeftBehind(name: string): boolean {
  const [, pid] = new RegExp(`^${PREFIX}(\\d+)$`).exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
