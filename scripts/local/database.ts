import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run } from './processes.ts';

const PAUSE_MS = 100;
/** A killed process, or one that recovers its database, releases the lock much sooner. */
const WAIT_MS = 30_000;

/**
 * Retries work on a local database while another process locks it: a statement refused by a lock changed nothing.
 * Reports once that it waits; throws the work's own error if the lock persists.
 */
export async function waitWhileLocked<T>(
  work: () => T | Promise<T>,
  say: (message: string) => void,
  waitMs = WAIT_MS,
): Promise<T> {
  let hasReported = false;
  for (const end = Date.now() + waitMs; ; ) {
    try {
      return await work();
    } catch (cause) {
      if (!isLocked(cause) || Date.now() >= end) throw cause;
    }
    if (!hasReported) say('waiting for the database: another process uses it');
    hasReported = true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** If the file is locked on opening, the runtime only reports an internal error. */
const isLocked = (cause: unknown) =>
  cause instanceof Error && /database is locked|SQLITE_BUSY|internal error; reference = /.test(cause.message);

/** Files that a start writes into a state folder, except the secrets and the tools' caches. */
const STATE_FILES = [
  'v3',
  'content',
  'site',
  'site-next',
  'sandbox.sqlite',
  'sandbox.sqlite-shm',
  'sandbox.sqlite-wal',
  'pay-links.txt',
];

/** The migrations that created a state folder: the hash of each file, by its path. */
const HASHES_FILE = 'migrations.json';

/**
 * Applies the installation's pending migrations to a state folder. Checking first saves several seconds at every later
 * start. A clinic's object applies its own migrations. Until the first release, files may also change: the state that an
 * earlier version of them made is then removed.
 */
export async function migrate(state: string, say: (message: string) => void): Promise<void> {
  const hashes = hashesNow();
  if (existsSync(path.join(state, 'v3')) && isOutdated(state, hashes)) {
    say('starting over: an earlier version created the tables in this state');
    for (const name of STATE_FILES) rmSync(path.join(state, name), { recursive: true, force: true });
  }
  mkdirSync(state, { recursive: true });
  writeFileSync(path.join(state, HASHES_FILE), JSON.stringify(hashes));
  if ((await waitWhileLocked(() => pendingMigrations(state), say)).length === 0) return;
  say('preparing the database');
  await run('wrangler', [
    ...['d1', 'migrations', 'apply', 'INSTALLATION', '--local'],
    ...['--persist-to', state, '-c', 'wrangler.toml'],
  ]);
  // Wrangler exits with 0 even if it is stopped midway.
  if (pendingMigrations(state).length > 0) throw new Error('not all tables were created; start again');
}

/** The installation's pending migrations. */
function pendingMigrations(state: string): string[] {
  const applied = askEach(state, 'd1_migrations', 'SELECT name FROM d1_migrations').map(({ name }) => name);
  return globSync('*.sql', { cwd: 'migrations/installation' }).filter((name) => !applied.includes(name));
}

function hashesNow(): Record<string, string> {
  const files = globSync('migrations/*/*.sql').sort();
  return Object.fromEntries(
    files.map((file) => [
      file.replaceAll(path.sep, '/'),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}

/** True if a migration of the state was changed or removed since, or if its migrations were not recorded. */
function isOutdated(state: string, now: Record<string, string>): boolean {
  const file = path.join(state, HASHES_FILE);
  if (!existsSync(file)) return true;
  const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(before).some(([name, hash]) => now[name] !== hash);
}

/** Queries every database in a state folder that has this table; returns all rows. */
function askEach(state: string, table: string, sql: string) {
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  return globSync('*.sqlite', { cwd: folder }).flatMap((name) => {
    const db = new DatabaseSync(path.join(folder, name), { readOnly: true });
    try {
      const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
      return exists ? db.prepare(sql).all() : [];
    } finally {
      db.close();
    }
  });
}

/**
 * A local D1 whose statements wait while another process locks the file. The Workers runtime fails at once, for
 * example if a killed start still holds the database or the product writes at the same time. A statement refused by a
 * lock changed nothing, and neither did its batch. Reports once that it waits; throws if the lock persists.
 */
export function patientDatabase(db: D1Database, say: (message: string) => void, waitMs?: number): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let hasReported = false;
  const sayOnce = (message: string) => {
    if (!hasReported) say(message);
    hasReported = true;
  };
  const retry = <T>(work: () => Promise<T>) => waitWhileLocked(work, sayOnce, waitMs);

  function patient(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = {
      bind: (...values: unknown[]) => patient(statement.bind(...values)),
      first: (...column: [string]) => retry(() => statement.first(...column)),
      all: () => retry(() => statement.all()),
      run: () => retry(() => statement.run()),
      raw: (...options: []) => retry(() => statement.raw(...options)),
    } as D1PreparedStatement;
    originals.set(wrapped, statement);
    return wrapped;
  }

  return {
    prepare: (text: string) => patient(db.prepare(text)),
    batch: (list: D1PreparedStatement[]) =>
      retry(() => db.batch(list.map((statement) => originals.get(statement) ?? statement))),
  } as D1Database;
}
