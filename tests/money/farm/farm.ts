import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenSandbox } from '#sandbox/listen';
import { testSettings } from '#tests/support/settings';
import { bundleWorker, type Edit } from './bundle.ts';
import { type Control, startControl } from './control.ts';
import { KNOBS, type Knobs } from './knobs.ts';
import { callOn } from './line.ts';
import { readMigrations } from './migrations.ts';
import type { FromProcess, ToProcess } from './process.ts';

export type FarmOptions = {
  isolates?: number;
  settings?: Record<string, string | number>;
  /** Changes to files of worker/ and migrations/: a product without one of its guards. */
  edits?: Edit[];
};

export type Farm = {
  sandboxUrl: string;
  control: Control;
  /** Milliseconds that every request adds to the Worker's clock; only ever grows. */
  clockMs: number;
  /** To the Worker, on one of its isolates by turns. */
  call(path: string, init?: RequestInit, knobs?: Knobs): Promise<Response>;
  /** A test-only route of the entry; throws unless it answers 200. */
  steer<T>(path: string, body: unknown, knobs?: Knobs): Promise<T>;
  sql<T>(sql: string, ...params: unknown[]): Promise<T[]>;
  /** A control call of the sandbox. */
  sandbox<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** SIGKILL to the Worker and everything around it, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** After `kill`: the same state in a new process. */
  restart(): Promise<void>;
  /** The Worker is replaced as by a deployment; D1 and R2 stay. */
  reload(): Promise<void>;
  stop(): Promise<void>;
};

/** Notes every move of an attempt, and gives the naive control its table. */
const OBSERVERS = [
  'CREATE TABLE money_moves (seq INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL, was TEXT NOT NULL, became TEXT NOT NULL)',
  `CREATE TRIGGER money_moves_log AFTER UPDATE OF state ON payment_attempts WHEN OLD.state <> NEW.state BEGIN
     INSERT INTO money_moves (attempt_id, was, became) VALUES (OLD.id, OLD.state, NEW.state); END`,
  `CREATE TRIGGER money_moves_start AFTER INSERT ON payment_attempts BEGIN
     INSERT INTO money_moves (attempt_id, was, became) VALUES (NEW.id, '', NEW.state); END`,
  'CREATE TABLE naive_paid (pay_id TEXT PRIMARY KEY)',
];

/** A sandbox, a Worker of several isolates over one fresh D1, and the strings to pull. */
export async function startFarm({ isolates = 3, settings = {}, edits = [] }: FarmOptions = {}): Promise<Farm> {
  const isSql = ({ file }: Edit) => file.startsWith('migrations/');
  const [script, migrations] = await Promise.all([
    bundleWorker(edits.filter((edit) => !isSql(edit))),
    readMigrations(edits.filter(isSql)),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'tillway-money-'));
  const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:1' });
  const control = await startControl(() => sandbox.url);
  const bindings: Record<string, string> = {
    ...testSettings(sandbox.url),
    CONTROL_URL: control.url,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  };
  let child: ChildProcess;
  let urls: string[] = [];
  let turn = 0;

  async function start() {
    child = fork(join(import.meta.dirname, 'process.ts'), {
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    urls = await ask(child, { do: 'start', start: { script, bindings, isolates, folder } });
  }

  const farm: Farm = {
    sandboxUrl: sandbox.url,
    control,
    clockMs: 0,
    call(path, init = {}, knobs = {}) {
      const headers = new Headers(init.headers);
      headers.set(KNOBS, JSON.stringify({ clockMs: farm.clockMs, ...knobs }));
      return callOn(`${urls[turn++ % urls.length]}${path}`, { ...init, headers });
    },
    async steer(path, body, knobs) {
      const response = await farm.call(`/_money/${path}`, { method: 'POST', body: JSON.stringify(body) }, knobs);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<never>;
    },
    async sql(sql, ...params) {
      const [rows] = await farm.steer<never[][]>('sql', [{ sql, params }]);
      return rows ?? [];
    },
    async sandbox(method, path, body) {
      const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<never>;
    },
    async kill() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      killGroup(child);
      await gone;
      control.release();
    },
    restart: start,
    async reload() {
      urls = await ask(child, { do: 'reload' });
    },
    async stop() {
      await farm.kill();
      await control.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  await start();
  await farm.steer(
    'sql',
    [...migrations, ...OBSERVERS].map((sql) => ({ sql, params: [] })),
  );
  return farm;
}

/** The process leads a group of its own; workerd is in it. */
function killGroup(child: ChildProcess) {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL');
}

function ask(child: ChildProcess, message: ToProcess): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const done = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (reply: FromProcess) => {
      done();
      if ('urls' in reply) resolve(reply.urls);
      else reject(new Error(reply.failure));
    };
    const onExit = (code: number | null) => {
      done();
      reject(new Error(`the Worker's process ended with ${code}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(message);
  });
}
