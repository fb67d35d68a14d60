import type { ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as completeOnly from '#tests/support/complete-only';
import { DATABASE_PATH, SECRET_HEADER } from '#tests/support/product/remote-database';
import { startGroup } from './local/processes.ts';
import { inputHash, siteFolder } from './local/site-build.ts';

/** Starts the command as a person does: through npm, in its own process group like in a terminal. */
type Place = { state: string; port: number; sandboxPort: number };
type Started = { npm: ChildProcess; place: Place; output: string; readyMs: number; ended: Promise<number | null> };

const running = new Set<ChildProcess>();
const folders: string[] = [];

async function newPlace(): Promise<Place> {
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-start-'));
  folders.push(state);
  return { state, port: await freePort(), sandboxPort: await freePort() };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function spawnStart(place: Place, env: Record<string, string> = {}): Started {
  const npm = startGroup('npm', ['start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(place.port),
      SANDBOX_PORT: String(place.sandboxPort),
      TILLWAY_STATE: place.state,
      // scripts/local/history.test.ts tests the history.
      TILLWAY_HISTORY: 'none',
      ...env,
    },
  });
  running.add(npm);
  const started: Started = {
    npm,
    place,
    output: '',
    readyMs: Number.NaN,
    ended: new Promise((resolve) => npm.once('close', (code) => resolve(code))),
  };
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (data: Buffer) => {
      started.output += data.toString();
    });
  }
  return started;
}

/** Start and wait for the last line. */
async function start(place: Place, env?: Record<string, string>): Promise<Started> {
  const from = performance.now();
  const started = spawnStart(place, env);
  await new Promise<void>((resolve, reject) => {
    started.npm.stdout?.on('data', () => {
      if (/^ready .*\n/m.test(started.output)) resolve();
    });
    started.npm.once('close', () => reject(new Error(`it ended:\n${started.output}`)));
  });
  started.readyMs = performance.now() - from;
  return started;
}

/** Process ids that were started with this state folder and still run. */
function remainingProcesses({ state }: Place): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const isZombie = /^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, 'utf8'));
      return !isZombie && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`TILLWAY_STATE=${state}\0`);
    } catch {
      return false;
    }
  });
}

async function expectNothingLeft(place: Place): Promise<void> {
  if (!existsSync('/proc/self/environ')) return;
  // Concurrent tests have no `expect.poll`.
  await vi.waitFor(() => expect(remainingProcesses(place)).toEqual([]), { timeout: 15_000, interval: 50 });
}

const kill = (started: Started, signal: NodeJS.Signals, to: 'npm' | 'group') =>
  process.kill((to === 'group' ? -1 : 1) * (started.npm.pid ?? 0), signal);

const linesOf = ({ output }: Started, word: string) =>
  output.split('\n').filter((line) => line === word || line.startsWith(`${word} `));

const paysOf = (started: Started) => linesOf(started, 'pay').sort();
/** A build belongs to one tree and one address, so the copy gets the hash of its new address. */
function lendBuild(from: Place, to: Place): void {
  cpSync(siteFolder(from.state), siteFolder(to.state), { recursive: true });
  writeFileSync(path.join(siteFolder(to.state), 'inputs.sha256'), inputHash(`http://localhost:${to.port}`));
}

const builtAt = ({ state }: Place) => statSync(path.join(state, 'site')).mtimeMs;

const SECRET = 'known-to-whoever-asks';
/** A generous limit, because two starts and a build are slow on a busy machine. It only ends a run that hangs. */
const HANGS_MS = 1_800_000;
let first: Started;
let second: Started;

/** One of the two starts builds the site, as a first start does; the other finds that build in its own folder. */
beforeAll(async () => {
  const place = await newPlace();
  first = await start(await newPlace(), { ENTRY_SECRET: SECRET });
  lendBuild(first.place, place);
  second = await start(place);
}, HANGS_MS);

afterAll(() => {
  for (const { pid } of running) {
    try {
      process.kill(-(pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('the last lines list the sandbox, at least ten payable invoices, the login and finally the product', async () => {
  const { port, sandboxPort } = first.place;
  // Later log lines of the running product do not belong to the start.
  const [summary = ''] = /^sandbox http[\s\S]*?^ready .*$/m.exec(first.output) ?? [];
  const words = summary.split('\n').map((line) => line.split(' ')[0]);
  const pays = linesOf(first, 'pay');
  expect(words, first.output).toEqual(['sandbox', ...pays.map(() => 'pay'), 'login', 'operator', 'ready']);
  expect(pays.length).toBeGreaterThanOrEqual(10);
  expect(linesOf(first, 'sandbox')).toEqual([`sandbox http://localhost:${sandboxPort}`]);
  expect(linesOf(first, 'ready')).toEqual([`ready http://localhost:${port}`]);
  expect(linesOf(first, 'login')[0]).toMatch(/^login \S+@\S+ \S+$/);
  expect(linesOf(first, 'operator')).toEqual([
    expect.stringMatching(new RegExp(`^operator http://localhost:${port}/operator \\S{20}$`)),
  ]);
  const answers = await Promise.all(pays.map((line) => fetch(line.slice(4))));
  expect(answers.map(({ status }) => status)).toEqual(pays.map(() => 200));
});

test('the test-only database route returns 404 with any secret', async () => {
  const post = (address: string) =>
    fetch(`http://localhost:${first.place.port}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SECRET_HEADER]: SECRET },
      body: '{"do":"all","statements":[{"text":"SELECT 1","values":[]}]}',
    });
  const [response, unknown] = await Promise.all([post(DATABASE_PATH), post('/api/nowhere/database')]);
  expect([response.status, await response.text()]).toEqual([404, await unknown.text()]);
});

test('two parallel starts do not affect each other', async () => {
  const state = async ({ place }: Started) => {
    const answer = await fetch(`http://localhost:${place.sandboxPort}/_sandbox/state`);
    return (await answer.json()) as { hubs: { hub_id: number; invoices: number }[] };
  };
  const before = await state(second);
  const [account] = before.hubs;
  const created = await fetch(`http://localhost:${first.place.sandboxPort}/_sandbox/hubs/${account?.hub_id}/invoices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"count":3}',
  });
  expect(created.ok).toBe(true);
  const [firstState, secondState] = [await state(first), await state(second)];
  expect(firstState.hubs[0]?.invoices).toBe((account?.invoices ?? 0) + 3);
  expect(secondState.hubs).toEqual(before.hubs);
  const [address = ''] = linesOf(first, 'pay');
  const elsewhere = address.slice(4).replace(String(first.place.port), String(second.place.port));
  expect((await fetch(elsewhere)).status).toBe(404);
});

test.concurrent.each([
  ['PORT', 'port'],
  ['SANDBOX_PORT', 'sandboxPort'],
] as const)('a start fails with one line and leaves nothing behind when %s is taken', async (name, key) => {
  const place = { ...(await newPlace()), [key]: first.place[key] };
  const blocked = spawnStart(place);
  expect(await blocked.ended).toBe(1);
  const lines = blocked.output.split('\n').filter((line) => line.startsWith('tillway:'));
  expect(lines).toEqual([`tillway: port ${first.place[key]} (${name}) is taken`]);
  await expectNothingLeft(place);
});

test.concurrent('a start with a malformed setting names the setting and leaves nothing behind', async () => {
  const place = await newPlace();
  const malformed = spawnStart(place, { TOKEN_KEYS: 'short' });
  expect(await malformed.ended).toBe(1);
  expect(malformed.output).toMatch(/^tillway: setting TOKEN_KEYS /m);
  await expectNothingLeft(place);
});

test('a signal to npm or to the whole group stops everything with code 0, faster than it started', async () => {
  const from = performance.now();
  kill(first, 'SIGTERM', 'npm');
  kill(second, 'SIGINT', 'group');
  expect(await first.ended).toBe(0);
  expect(await second.ended).toBe(0);
  await expectNothingLeft(first.place);
  await expectNothingLeft(second.place);
  // Compares both ends with one start without a build, because a busy machine slows them alike.
  expect(performance.now() - from).toBeLessThan(second.readyMs);
});

/**
 * Only in the complete run: each starts the product again, and every run of the journeys already starts and ends one.
 */
completeOnly.describe('a second start in the same folder', () => {
  test('a later start rebuilds nothing and offers the same invoices', async () => {
    const at = builtAt(first.place);
    const laterStart = await start(first.place);
    expect(laterStart.output).not.toMatch(/preparing the database|building the site/);
    expect(paysOf(laterStart)).toEqual(paysOf(first));
    expect(linesOf(laterStart, 'login')).toEqual(linesOf(first, 'login'));
    expect(builtAt(first.place)).toBe(at);
    kill(laterStart, 'SIGKILL', 'group');
    await laterStart.ended;
  });

  test.each([
    ['the installation’s database', 'v3/d1/miniflare-D1DatabaseObject'],
    ['a clinic’s database', 'v3/do/tillway-Clinic'],
  ])(
    'after a kill -9 of everything, a start waits while another process locks %s, then continues',
    async (_label, folder) => {
      const at = builtAt(first.place);
      const [file = ''] = globSync(path.join(first.place.state, folder, '*.sqlite')).filter(
        (name) => !name.endsWith('metadata.sqlite'),
      );
      const holder = new DatabaseSync(file, { timeout: 10_000 });
      // Locks out all readers, like a process that recovers the database of a killed one.
      holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE held (x); DROP TABLE held; COMMIT');
      const waiting = spawnStart(first.place);
      await expect
        .poll(() => waiting.output, { timeout: 60_000, interval: 20 })
        .toMatch(/waiting for the database|tillway:/);
      holder.close();
      await expect.poll(() => waiting.output, { timeout: 60_000, interval: 20 }).toMatch(/^(ready |tillway:)/m);
      expect(paysOf(waiting), waiting.output).toEqual(paysOf(first));
      expect(builtAt(first.place)).toBe(at);

      kill(waiting, 'SIGKILL', 'npm');
      await waiting.ended;
      await expectNothingLeft(waiting.place);
    },
    150_000,
  );

  test('a start that is interrupted halfway leaves nothing behind', async () => {
    rmSync(path.join(second.place.state, 'site'), { recursive: true });
    const interrupted = spawnStart(second.place);
    await expect.poll(() => interrupted.output, { timeout: 60_000, interval: 20 }).toContain('building the site');
    kill(interrupted, 'SIGTERM', 'npm');
    expect(await interrupted.ended).toBe(0);
    await expectNothingLeft(interrupted.place);
  });
});
