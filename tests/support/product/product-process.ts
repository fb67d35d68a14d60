import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../../../scripts/local/migrate.ts';

/** A product as `npm start` brings it up, in a folder and on ports of its own. `secret` opens its database to a test. */
export type Product = {
  appUrl: string;
  sandboxUrl: string;
  state: string;
  secret: string;
  payLinks: string[];
  output: string;
};

export type RunningProduct = Product & { stop(): Promise<number | null> };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The built Worker with the tests' way to its database around it, and no development proxy before it. */
const WITH_ENTRY = ['--entry', 'tests/support/product/worker-entry.ts'];

/** `args` replace those of a journey's product; `onOutput` hears what the start says, also after its `ready` line. */
type Options = { state?: string; env?: Record<string, string>; args?: string[]; onOutput?: (text: string) => void };

let migrated: Promise<string> | undefined;

/** A state folder with the tables in it. wrangler takes as long for them as a start for all the rest, so it makes them once. */
async function freshState(): Promise<string> {
  migrated ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tillway-tables-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await migrate(folder, () => undefined);
    return folder;
  })();
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-test-'));
  cpSync(await migrated, state, { recursive: true });
  return state;
}

/** Start a product and wait for its `ready` line. Throws with its output when it ends before. */
export async function startProduct({
  state: given,
  env = {},
  args = WITH_ENTRY,
  onOutput,
}: Options = {}): Promise<RunningProduct> {
  const secret = randomBytes(24).toString('base64url');
  const state = given ?? (await freshState());
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['scripts/start.ts', ...args], {
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      TILLWAY_STATE: state,
      NODE_ENV: 'test',
      ENTRY_SECRET: secret,
      // Journeys decline many cards of one merchant from one address; the velocity limits have tests of their own.
      BREAKER_MIN_ATTEMPTS: '100000',
      DECLINES_PER_IP_HOUR: '1000',
      DECLINES_PER_UNKNOWN_IP_HOUR: '1000',
      // A fault that a test sets for its own call must not meet the schedule's.
      SYNC_EVERY_MS: '3600000',
      // Builds take the machine from everybody else: they come where a test asks for one.
      BUILD_WAIT_MS: '3600000',
      LOGIN_TRIES_PER_UNKNOWN_IP: '1000',
      REGISTRATIONS_PER_UNKNOWN_IP_HOUR: '1000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const onData = (data: Buffer) => {
      output += String(data);
      onOutput?.(String(data));
      if (/^ready /m.test(output)) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}:\n${output}`)));
  });
  await ready;
  return {
    appUrl: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    state,
    secret,
    payLinks: [...output.matchAll(/^pay (\S+)$/gm)].map(([, address]) => address ?? ''),
    output,
    async stop() {
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) child.kill('SIGTERM');
      const code = child.exitCode ?? (await ended);
      if (!given) rmSync(state, { recursive: true, force: true });
      return code;
    },
  };
}
