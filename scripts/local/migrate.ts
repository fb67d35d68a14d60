import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FIRST_MIGRATION } from '#worker/clinic/migration';
import { waitWhileLocked } from './locked-database.ts';
import { run } from './processes.ts';

/** What a start writes into a state folder, but for the secrets and the tools' caches. */
const WRITTEN = [
  'v3',
  'content',
  'site',
  'site-next',
  'sandbox.sqlite',
  'sandbox.sqlite-shm',
  'sandbox.sqlite-wal',
  'pay-links.txt',
];

/**
 * Apply the installation's migrations to a state folder when it lacks some; to read what it has saves several seconds at
 * every later start. A clinic's object applies its own.
 */
export async function migrate(state: string, say: (what: string) => void): Promise<void> {
  if ((await waitWhileLocked(() => lacking(state), say)).length === 0) return;
  if (isTooOld(state)) {
    say('starting anew: a version before the first release left its data here');
    for (const name of WRITTEN) rmSync(path.join(state, name), { recursive: true, force: true });
  }
  say('preparing the database');
  await run('wrangler', [
    ...['d1', 'migrations', 'apply', 'INSTALLATION', '--local'],
    ...['--persist-to', state, '-c', 'wrangler.toml'],
  ]);
  // One that is asked to end in the middle says that all went well.
  if (lacking(state).length > 0) throw new Error('the tables were not all made; start again');
}

/** The migrations that the installation's database does not have. */
function lacking(state: string): string[] {
  const applied = askEach(state, 'd1_migrations', 'SELECT name FROM d1_migrations').map(({ name }) => name);
  return globSync('*.sql', { cwd: 'migrations/installation' }).filter((name) => !applied.includes(name));
}

/** Whether a version before the first release made the database. */
const isTooOld = (state: string): boolean =>
  askEach(state, 'd1_migrations', `SELECT 1 FROM d1_migrations WHERE name < '0${FIRST_MIGRATION}'`).length > 0;

/** The rows of every database in a state folder that has this table. */
function askEach(state: string, table: string, question: string) {
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  return globSync('*.sqlite', { cwd: folder }).flatMap((name) => {
    const db = new DatabaseSync(path.join(folder, name), { readOnly: true });
    try {
      const has = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
      return has ? db.prepare(question).all() : [];
    } finally {
      db.close();
    }
  });
}
