import { hubs } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { noteVisit } from '#tests/support/journeys/visits';
import { testSettings } from '#tests/support/unit/settings';
import { bundleWorker, type Edit } from './bundle.ts';
import type { Cluster } from './cluster.ts';
import { type Control, startControl } from './control.ts';
import { KNOBS, type Knobs } from './knobs.ts';
import { callUnpooled } from './line.ts';
import { readMigrations } from './migrations.ts';
import { endablePauses } from './pauses.ts';

export type ClusterWorldOptions = {
  settings?: Record<string, string | number>;
  /** Changes to files of worker/ and migrations/clinic/ that remove a guard of the product. */
  edits?: Edit[];
  /** SQL of an additional clinic migration, which only the later version of the Worker has. */
  later?: string;
};

/** The current Worker, or a later one with one more migration. */
export type Version = 'now' | 'later';

export type ClusterWorld = {
  sandboxUrl: string;
  control: Control;
  /** Milliseconds that every request adds to the Worker's clock. Only grows. */
  clockMs: number;
  /** Calls the Worker, on its isolates in turn. */
  call(path: string, init?: RequestInit, knobs?: Knobs): Promise<Response>;
  /** Calls a test-only route of the entry. Throws unless it answers 200. */
  steer<T>(path: string, body: unknown, knobs?: Knobs): Promise<T>;
  /** Runs a statement in the clinic's database and returns its rows. */
  sql<T>(sql: string, ...params: unknown[]): Promise<T[]>;
  /** Calls a control route of the sandbox. Throws unless it succeeds. */
  sandbox<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends all pauses of the outside world, so late charges are carried out. */
  endPauses(): void;
  /** Sends SIGKILL to the Worker's process group, in the middle of its work. */
  kill(): Promise<void>;
  /** After `kill`: starts a new process on the same state. */
  restart(): Promise<void>;
  /** Replaces the Worker as a deployment does; clinics, D1 and R2 stay. */
  reload(): Promise<void>;
  /** Replaces the Worker with several versions at once, spread over its isolates; the objects run the first version. */
  runVersions(...versions: Version[]): Promise<void>;
  /** Copies the clinic's current state. The returned function restores it; D1, R2 and the outside world stay. */
  copyClinic(): Promise<() => Promise<void>>;
  /** Takes the world down; the cluster stays for the next one. */
  stop(): Promise<void>;
};

/** Triggers that log every move of an attempt, and the table of the naive control. */
const OBSERVERS = [
  'CREATE TABLE money_moves (seq INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL, was TEXT NOT NULL, became TEXT NOT NULL)',
  `CREATE TRIGGER money_moves_log AFTER UPDATE OF state ON payment_attempts WHEN OLD.state <> NEW.state BEGIN
     INSERT INTO money_moves (attempt_id, was, became) VALUES (OLD.id, OLD.state, NEW.state); END`,
  `CREATE TRIGGER money_moves_start AFTER INSERT ON payment_attempts BEGIN
     INSERT INTO money_moves (attempt_id, was, became) VALUES (NEW.id, '', NEW.state); END`,
  'CREATE TABLE naive_paid (pay_id TEXT NOT NULL, cents INTEGER NOT NULL)',
];

const bundles = new Map<string, Promise<string>>();

/** The edit that adds one more clinic migration to the Worker. */
const withMigration = (sql: string): Edit => ({
  file: 'worker/clinic/migrations.ts',
  from: '\n].map(',
  to: `\n  ${JSON.stringify(sql)},\n].map(`,
});

function bundleOf(edits: Edit[]): Promise<string> {
  const key = JSON.stringify(edits);
  const bundle = bundles.get(key) ?? bundleWorker(edits);
  bundles.set(key, bundle);
  return bundle;
}

const [account] = hubs;

/** Starts a sandbox and a fresh installation with one clinic on the cluster's Worker; returns the controls of both. */
export async function startClusterWorld(
  cluster: Cluster,
  { settings = {}, edits = [], later = '' }: ClusterWorldOptions = {},
): Promise<ClusterWorld> {
  const [installation, script] = await Promise.all([readMigrations('installation'), bundleOf(edits)]);
  const pauses = endablePauses();
  const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:1', pauses });
  const control = await startControl(() => sandbox.url);
  const world = {
    index: cluster.newWorld(),
    settings: { ...testSettings(sandbox.url), CONTROL_URL: control.url, ...settings },
  };

  /** Runs the work while the Worker is killed, because its database files change as long as it runs. */
  async function whileKilled<T>(work: () => Promise<T>): Promise<T> {
    await clusterWorld.kill();
    const result = await work();
    await cluster.restart();
    return result;
  }

  const clusterWorld: ClusterWorld = {
    sandboxUrl: sandbox.url,
    control,
    clockMs: 0,
    call(path, init = {}, knobs = {}) {
      const headers = new Headers(init.headers);
      const worldKnobs = { world: world.index, clockMs: clusterWorld.clockMs, ...knobs };
      headers.set(KNOBS, JSON.stringify({ ...worldKnobs, settings: { ...world.settings, ...knobs.settings } }));
      const url = `${cluster.nextUrl()}${path}`;
      noteVisit(url);
      return callUnpooled(url, { ...init, headers });
    },
    async steer(path, body, knobs) {
      const response = await clusterWorld.call(
        `/_money/${path}`,
        { method: 'POST', body: JSON.stringify(body) },
        knobs,
      );
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<never>;
    },
    async sql(sql, ...params) {
      const [rows] = await clusterWorld.steer<never[][]>('sql', [{ sql, params }]);
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
    endPauses: pauses.endAll,
    async kill() {
      await cluster.kill();
      control.release();
    },
    restart: cluster.restart,
    reload: cluster.reload,
    async runVersions(...versions) {
      await cluster.run(
        ...(await Promise.all(
          versions.map((version) => (version === 'now' ? script : bundleOf([...edits, withMigration(later)]))),
        )),
      );
    },
    async copyClinic() {
      const putBack = await whileKilled(cluster.copyClinics);
      return () => whileKilled(putBack);
    },
    async stop() {
      await control.close();
      await sandbox.close();
    },
  };

  await cluster.run(script);
  await clusterWorld.steer('found', { accountId: account.hubId, installation });
  await clusterWorld.steer(
    'sql',
    OBSERVERS.map((sql) => ({ sql, params: [] })),
  );
  return clusterWorld;
}
