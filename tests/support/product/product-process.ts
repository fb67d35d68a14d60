import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '#scripts/local/database';
import { forget, startGroup } from '#scripts/local/processes';
import { borrowSite, isSiteLent, lendSite } from './lent-site.ts';

/**
 * A product started as `npm start` does, with its own folder and ports. `secret` gives a test access to its database.
 */
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

/** Wraps the built Worker to give tests access to its database, without a development proxy. */
const WITH_ENTRY = ['--entry', 'tests/support/product/worker-entry.ts'];

/** `args` replace those of a journey's product; `onOutput` gets the start's output, also after its `ready` line. */
type Options = { state?: string; env?: Record<string, string>; args?: string[]; onOutput?: (text: string) => void };

let migratedFolder: Promise<string> | undefined;

/** A state folder with migrated databases. wrangler makes them once, since they take as long as the rest of a start. */
async function freshState(): Promise<string> {
  migratedFolder ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tillway-tables-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await migrate(folder, () => undefined);
    return folder;
  })();
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-test-'));
  cpSync(await migratedFolder, state, { recursive: true });
  return state;
}

const tailOf = (output: string) => output.split('\n').slice(-40).join('\n');

/** The product that builds the site for all others. */
let builder: Promise<RunningProduct> | undefined;

/** Starts a product and waits for its `ready` line. Throws with its output if it ends before. */
export async function startProduct(options: Options = {}): Promise<RunningProduct> {
  if (options.state || options.args) return startOne(options);
  if (builder) await builder.catch(() => undefined);
  const product = startOne(options);
  builder ??= product;
  return product;
}

async function startOne({ state: usedState, env = {}, args = WITH_ENTRY, onOutput }: Options): Promise<RunningProduct> {
  const secret = randomBytes(24).toString('base64url');
  const state = usedState ?? (await freshState());
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const appUrl = `http://localhost:${port}`;
  const isUsual = usedState === undefined && args === WITH_ENTRY;
  if (isUsual && isSiteLent()) borrowSite(state, appUrl);
  const child = startGroup(process.execPath, ['scripts/start.ts', ...args], {
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      TILLWAY_STATE: state,
      NODE_ENV: 'test',
      // Tests create their own data and count rows.
      TILLWAY_HISTORY: 'none',
      ENTRY_SECRET: secret,
      // Journeys decline many cards of one merchant from one address; other tests cover the velocity limits.
      BREAKER_MIN_ATTEMPTS: '100000',
      DECLINES_PER_IP_HOUR: '1000',
      DECLINES_PER_UNKNOWN_IP_HOUR: '1000',
      // The schedule's calls must not meet a fault that a test sets for its own call.
      SYNC_EVERY_MS: '3600000',
      // Builds use the full machine, so they run only when a test asks for one.
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
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onData);
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}:\n${output}`)));
  });
  await ready;
  if (isUsual && !isSiteLent()) lendSite(state, appUrl);
  let isStopping = false;
  // Without this message, its tests would only report failed connections.
  child.once('exit', (code, signal) => {
    forget(child);
    if (!isStopping) console.error(`the product at ${port} stopped early with ${code ?? signal}:\n${tailOf(output)}`);
  });
  return {
    appUrl,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    state,
    secret,
    payLinks: [...output.matchAll(/^pay (\S+)$/gm)].map(([, address]) => address ?? ''),
    output,
    async stop() {
      isStopping = true;
      const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) child.kill('SIGTERM');
      const code = child.exitCode ?? (await exit);
      if (!usedState) rmSync(state, { recursive: true, force: true });
      return code;
    },
  };
}
