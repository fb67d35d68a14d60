import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { entryOf, QUIET } from '../local/processes.ts';
import type { Ask } from './pull-content.ts';

const Answers = z.array(z.object({ results: z.unknown() }));
const MAX_BYTES = 100_000_000;

/** Queries through wrangler; `database` holds its arguments that name the database. */
export function asking(database: string[]): Ask {
  const env = { ...process.env, ...QUIET };
  return async (sql) => {
    const args = [...entryOf('wrangler'), 'd1', 'execute', 'INSTALLATION', '--json', '--command', sql, ...database];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: MAX_BYTES }).catch(
      ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => {
        throw new Error(`the database was not read: ${`${stderr}${stdout}`.trim().slice(-600)}`);
      },
    );
    return Answers.parse(JSON.parse(stdout.slice(stdout.indexOf('['))))[0]?.results;
  };
}
