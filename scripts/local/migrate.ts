import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './processes.ts';
import { inputHash } from './site-build.ts';

/**
 * Apply the installation's migrations to a state folder when there are new ones; the stamp saves several seconds at every
 * later start. A clinic's are applied by its own database.
 */
export async function migrate(state: string, say: (what: string) => void): Promise<void> {
  const stamp = path.join(state, 'migrations.sha256');
  const hash = inputHash('');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  say('preparing the database');
  await run('wrangler', [
    'd1',
    'migrations',
    'apply',
    'INSTALLATION',
    '--local',
    '--persist-to',
    state,
    '-c',
    'wrangler.toml',
  ]);
  writeFileSync(stamp, hash);
}
