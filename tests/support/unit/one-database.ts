import { env } from 'cloudflare:workers';
import type { Clinics } from '#worker/clinic/clinics';
import { type Db, openDb } from '#worker/data/db';

/** All clinics of a unit test are in one database, which is there and up to date. */
export const oneDatabase = (db: Db = openDb(env.DB)): Clinics => ({
  db: () => db,
  found: async () => undefined,
  wake: async () => undefined,
  erase: async () => undefined,
});
