import { type Db, openDb } from '#worker/data/db';
import type { Region } from '#worker/domain/merchants/region';
import type { Founding, Standing } from './books.ts';
import { type ClinicCalls, remoteD1 } from './facade.ts';
import { clinicMigrations } from './migrations.ts';

/** What the Worker asks of a clinic's object. */
export interface ClinicObject extends Rpc.DurableObjectBranded, ClinicCalls {
  /** Make the clinic's database, or bring it up to date. */
  found(founding: Founding): Promise<void>;
  wake(): Promise<void>;
  /** Null: no clinic was founded there. */
  standing(): Promise<Standing | null>;
  erase(): Promise<void>;
}

/** The objects of the clinics, by their numbers in the directory. */
export type Clinics = {
  /** A clinic's database. Nothing is asked of the object yet. */
  db(clinic: number): Db;
  /** Make a clinic's database, in a region where one is named, or bring it up to date. */
  found(clinic: number, accountId: number, region?: Region | ''): Promise<void>;
  /** Wind the clock of a clinic, in case it stopped. */
  wake(clinic: number): Promise<void>;
  /** Delete a clinic's database with its clock. */
  erase(clinic: number): Promise<void>;
};

/** An isolate keeps the databases of this many clinics open: to describe one to the ORM takes longer than a query. */
const OPEN = 200;

/** `successorOf`: the number under which a lost clinic was put back, which its capabilities do not name; null: none. */
export function openClinics(
  objects: DurableObjectNamespace<ClinicObject>,
  successorOf: (clinic: number) => Promise<number | null> = async () => null,
): Clinics {
  const open = new Map<number, Db>();
  // A new stub for each call: one that has failed stays broken.
  const stub = (clinic: number) => objects.getByName(String(clinic));
  return {
    db(clinic) {
      const known = open.get(clinic);
      if (known) return known;
      if (open.size >= OPEN) open.clear();
      const movedTo = async () => {
        const later = await successorOf(clinic);
        return later === null ? null : () => stub(later);
      };
      const db = openDb(remoteD1(() => stub(clinic), clinicMigrations, { movedTo }));
      open.set(clinic, db);
      return db;
    },
    async found(clinic, accountId, region = '') {
      // Only the first call of an object decides where it is.
      const first = objects.getByName(String(clinic), region === '' ? {} : { locationHint: region });
      await first.found({ clinic, accountId });
    },
    async wake(clinic) {
      await stub(clinic).wake();
    },
    async erase(clinic) {
      await stub(clinic).erase();
    },
  };
}
