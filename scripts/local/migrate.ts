import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run } from './processes.ts';
import { inputHash } from './site-build.ts';

/** What a start writes into a state folder, but for the secrets and the tools' caches. */
const WRITTEN = [
  'v3',
  'content',
  'site',
  'site-next',
  'sandbox.sqlite',
  'sandbox.sqlite-shm',
  'sandbox.sqlite-wal',
  'migrations.sha256',
  'pay-links.txt',
];

/**
 * Apply the installation's migrations to a state folder when there are new ones; the stamp saves several seconds at
 * every later start. A clinic's object applies its own.
 */
export async function migrate(state: string, say: (what: string) => void): Promise<void> {
  const stamp = path.join(state, 'migrations.sha256');
  const hash = inputHash('');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  if (holdsClinics(state)) {
    say('starting anew: an older version left its data here, with all clinics in one database');
    for (const name of WRITTEN) rmSync(path.join(state, name), { recursive: true, force: true });
  }
  say('preparing the database');
  await run('wrangler', [
    ...['d1', 'migrations', 'apply', 'INSTALLATION', '--local'],
    ...['--persist-to', state, '-c', 'wrangler.toml'],
  ]);
  writeFileSync(stamp, hash);
}

/** Whether the installation's database is one that held the clinics' tables too. */
function holdsClinics(state: string): boolean {
  if (existsSync(path.join(state, 'v3/do/tillway-Clinic'))) return false;
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  return globSync('*.sqlite', { cwd: folder }).some((name) => {
    const db = new DatabaseSync(path.join(folder, name), { readOnly: true, timeout: 10_000 });
    try {
      return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hubs'").get() !== undefined;
    } finally {
      db.close();
    }
  });
}
