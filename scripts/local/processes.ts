import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';

/** No telemetry, no look-ups on the internet, no questions. */
export const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_PATH: path.resolve('.wrangler/logs'),
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
};

export const bin = (name: string): string => path.resolve('node_modules/.bin', name);

const withBin = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...QUIET,
  ...env,
  // The tools need the project's own Node, whatever the machine has.
  PATH: `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
});

/** Run a tool to its end; its output comes back in the error when it fails. */
export async function run(name: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(bin(name), args, { env: withBin(env), stdio: ['ignore', 'pipe', 'pipe'], shell: false });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit) => resolve(exit ?? 1));
  });
  if (code !== 0) throw new Error(`${name} ${args[0]} failed:\n${output.slice(-4000)}`);
}

/** A long-running child in a process group of its own, so that its children end with it. */
export function start(
  name: string,
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): ChildProcess {
  const options: SpawnOptions = {
    env: withBin(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  };
  const child = spawn(bin(name), args, options);
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

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // Gone already.
  }
}

/** End children politely, and after three seconds without asking. */
export async function stop(children: ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (!hasEnded(child)) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        signal(child, 'SIGTERM');
        const timer = setTimeout(() => signal(child, 'SIGKILL'), 3000);
        await ended;
        clearTimeout(timer);
      }
      // The leader may be gone while one of its group is not.
      signal(child, 'SIGKILL');
    }),
  );
}

/** Throws an Error that names a port that somebody else has. */
export async function requireFreePort(port: number, setting: string): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.once('error', (cause: NodeJS.ErrnoException) =>
        cause.code === 'EADDRINUSE' ? reject(new Error(`port ${port} (${setting}) is taken`)) : resolve(),
      );
      probe.listen(port, host, () => probe.close(() => resolve()));
    });
  }
}

/** Wait until an address answers at all. Throws when the child ends first or two minutes are over. */
export async function waitFor(url: string, child: ChildProcess, tail: () => string): Promise<void> {
  const until = Date.now() + 120_000;
  while (Date.now() < until) {
    if (hasEnded(child)) throw new Error(`a part of the product ended at start:\n${tail()}`);
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${url} did not answer:\n${tail()}`);
}
