import { env } from 'cloudflare:workers';
import type { Clinics } from '#worker/clinic/clinics';
import { type Db, openDb } from '#worker/data/db';

/** The clinics of a unit test, all in one database that exists and is migrated. */
export const oneDatabase = (db: Db = openDb(env.DB)): Clinics => ({
  db: () => db,
  found: async () => undefined,
  wake: async () => undefined,
  erase: async () => undefined,
});
