import type { Env } from '../deps.ts';
import { consoleLog } from '../log.ts';
import { Books } from './books.ts';
import { clinicMigrations } from './migrations.ts';

/** The books of the object that this storage is of, with all that they need of the world. */
export const openBooks = (storage: DurableObjectStorage, env: Env): Promise<Books> =>
  new Books(storage, {
    now: Date.now,
    migrations: clinicMigrations,
    ring: async (clinic, db) => (await import('./ring.ts')).ring(env, clinic, db),
    // A clinic whose turns keep failing falls silent, which the installation alerts.
    alert: consoleLog.info,
  }).open();
