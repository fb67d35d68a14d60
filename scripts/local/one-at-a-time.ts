import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LOOK_MS = 200;
/** Longer than any work that is waited for: the number of a process that died may belong to another by then. */
const STALE_MS = 10 * 60_000;

/**
 * Do something that two processes must not do in this tree at the same time; whoever comes second waits. The file names
 * who is at it, so that one who was killed keeps nobody waiting.
 */
export async function oneAtATime<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  while (!isMine(file)) {
    if (isLeft(file)) rmSync(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function isMine(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

function isLeft(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
