import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import path from 'node:path';

/** Settings without telemetry, lookups on the internet and prompts. */
export const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_PATH: path.resolve('.wrangler/logs'),
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
};

/**
 * Arguments that run a package's command with the current Node on any system: node_modules/.bin contains shell scripts
 * on some and .cmd files on others. `node` is Node itself.
 */
export function entryOf(name: string): string[] {
  if (name === 'node') return [];
  const folder = path.resolve('node_modules', name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  const entry = bin[name];
  if (!entry) throw new Error(`the package ${name} has no command of that name`);
  return [path.join(folder, entry)];
}

const withBin = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...QUIET,
  ...env,
  // Tools start other tools by name, and those need the project's own Node too.
  PATH: `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
});

const isGrouped = process.platform !== 'win32';

const alive = new Set<ChildProcess>();
let isStopping = false;
let watchdog: ChildProcess | undefined;

/**
 * Registers a child's process group with the watchdog, which ends it if this start is killed outright. An orderly end
 * removes every group first.
 */
function watch(sign: '+' | '-', { pid }: ChildProcess): void {
  if (!isGrouped || pid === undefined) return;
  if (!watchdog) {
    watchdog = spawn(process.execPath, ['scripts/local/watchdog.ts'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watchdog.stdin?.on('error', () => undefined);
    watchdog.once('error', () => undefined);
    watchdog.unref();
    if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  }
  watchdog.stdin?.write(`${sign}${pid}\n`);
}

/** A child in its own process group, so that its children end with it. */
export function startGroup(command: string, args: string[], options: SpawnOptions): ChildProcess {
  if (isStopping) throw new Error('the start was ended');
  const child = spawn(command, args, { ...options, detached: isGrouped });
  alive.add(child);
  watch('+', child);
  return child;
}

/** A package's command whose output is read line by line. */
export function start(
  name: string,
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): ChildProcess {
  const child = startGroup(process.execPath, [...entryOf(name), ...args], {
    env: withBin(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.on('data', (data) => {
      const lines = `${rest}${data}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
  }
  return child;
}

/** Runs a tool to completion. Throws an Error with its output if it fails, and if the start was stopped meanwhile. */
export async function run(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const lines: string[] = [];
  const child = start(name, args, env, (line) => {
    lines.push(line);
    onLine(line);
  });
  const end = await new Promise<string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, sign) => resolve(code === 0 ? null : sign ? `was ended by ${sign}` : 'failed'));
  });
  // A tool that receives a stop signal may exit with 0 with half of its work done.
  if (isStopping) throw new Error('the start was ended');
  forget(child);
  if (end !== null) throw new Error(`${name} ${args[0]} ${end}:\n${indent(lines.slice(-60))}`);
}

/** Stops tracking a process group that has ended completely. */
export function forget(child: ChildProcess): void {
  alive.delete(child);
  watch('-', child);
}

/** Indents a tool's lines inside our message, so that none looks like a line of the start itself. */
export const indent = (lines: string[]): string => lines.map((line) => `  ${line}`).join('\n');

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isGrouped) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has already ended.
  }
}

/** Signals all children to stop, and kills them after three seconds. Nothing can be started afterwards. */
export async function stopAll(): Promise<void> {
  isStopping = true;
  await Promise.all(
    [...alive].map(async (child) => {
      if (!hasEnded(child)) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        signal(child, 'SIGTERM');
        const timer = setTimeout(() => signal(child, 'SIGKILL'), 3000);
        await ended;
        clearTimeout(timer);
      }
      // The group leader may have ended while another process of its group still runs.
      signal(child, 'SIGKILL');
      forget(child);
    }),
  );
}

/** Calls `end` on a stop signal, or once the npm process that started this one has exited. */
export function onStopRequest(end: (signal: NodeJS.Signals) => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end(name));
  // npm's shell may exit on a signal without forwarding it.
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || !isGrouped) return;
  const check = () => {
    if (process.ppid !== parent) end('SIGHUP');
  };
  setInterval(check, 300).unref();
}

/** Throws an Error that names the port if it is in use. Waits briefly for a port that is just being released. */
export async function requireFreePort(port: number, setting: string): Promise<void> {
  for (let tries = 5; !(await isFree(port)); tries--) {
    if (tries === 0) throw new Error(`port ${port} (${setting}) is taken`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const isTaken = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      // A machine without IPv6 reports another error.
      probe.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code === 'EADDRINUSE'));
      probe.listen(port, host, () => probe.close(() => resolve(false)));
    });
    if (isTaken) return false;
  }
  return true;
}

/** Waits until an address responds. Throws if the child ends first, or after two minutes. */
export async function waitFor(url: string, child: ChildProcess, tail: () => string[]): Promise<void> {
  const until = Date.now() + 120_000;
  while (Date.now() < until) {
    if (hasEnded(child)) throw new Error(`a part of the product ended at start:\n${indent(tail())}`);
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${url} did not answer:\n${indent(tail())}`);
}
