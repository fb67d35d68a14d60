import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { QUIET } from '#scripts/local/processes';

/** `work`: CPU seconds of all processes of the build; null where the system does not report them. */
export type Built = { seconds: number; work: number | null; rendered: string[]; peakMb: number };

/**
 * Builds the site in its own process: duration, newly rendered pages, peak memory. It builds into an empty folder, like
 * both of the product's own builders, so leftovers of an earlier build are not part of the work.
 */
export async function build(env: { OUT_DIR: string } & Record<string, string>, config?: string): Promise<Built> {
  rmSync(env.OUT_DIR, { recursive: true, force: true });
  const args = ['node_modules/astro/bin/astro.mjs', 'build', ...(config ? ['--config', config] : [])];
  const from = performance.now();
  const workBefore = workOfChildren();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...QUIET, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += String(data);
    });
  }
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid));
  }, 250);
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  clearInterval(timer);
  if (code !== 0) throw new Error(`the build failed:\n${output.slice(-3000)}`);
  const rendered = [...output.matchAll(PAGE_LINE)].filter(([, , mark]) => !mark).map(([, page = '']) => page);
  const seconds = (performance.now() - from) / 1000;
  const workAfter = workOfChildren();
  const work = workBefore === null || workAfter === null ? null : workAfter - workBefore;
  return { seconds, work, rendered, peakMb: Math.round(peak / 1024) };
}

/**
 * A page in Astro's output. Pages are rendered in parallel, and their lines run into each other: a rendered page may be
 * followed by the next line's time or by the duration of another. A page that was kept is marked right after its name.
 */
const PAGE_LINE = /[├└]─ (\/\S*?\.[a-z]+)(?=\s|\d\d:|$)( \((?:cached|restored)\))?/gm;

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** CPU seconds of this process's ended children and their children; null where the system does not report them. */
function workOfChildren(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return null;
  }
}

/** Memory of a process in kB; 0 where the system does not report it. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(path.join('/proc', String(pid), 'status'), 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
