import { type Db, openDb } from '#worker/data/db';
import type { Region } from '#worker/domain/merchants/region';
import { type ClinicCalls, remoteD1 } from './d1-interface.ts';
import type { ClinicStatus, NewClinic } from './database-and-alarm.ts';
import { clinicMigrations } from './migrations.ts';

/** The calls from the Worker to a clinic's object. */
export interface ClinicObject extends Rpc.DurableObjectBranded, ClinicCalls {
  /** Creates the clinic's database, or brings it up to date. */
  found(founding: NewClinic): Promise<void>;
  wake(): Promise<void>;
  /** Returns null if no clinic exists there. */
  readStatus(): Promise<ClinicStatus | null>;
  erase(): Promise<void>;
}

/** Access to the objects of the clinics, by their number in the directory. */
export type Clinics = {
  /** A clinic's database. Sends no request to the object yet. */
  db(clinic: number): Db;
  /** Creates a clinic's database, in `region` if given, or brings it up to date. */
  found(clinic: number, accountId: number, region?: Region | ''): Promise<void>;
  /** Resets a clinic's alarm, in case it was lost. */
  wake(clinic: number): Promise<void>;
  /** Deletes a clinic's database and its alarm. */
  erase(clinic: number): Promise<void>;
};

/** An isolate keeps this many databases open, because describing one to the ORM takes longer than a query. */
const MAX_OPEN = 200;

/**
 * `successorOf`: the number under which a lost clinic was restored, or null if there is none. It is needed because the
 * capabilities of a lost clinic contain its old number.
 */
export function openClinics(
  objects: DurableObjectNamespace<ClinicObject>,
  successorOf: (clinic: number) => Promise<number | null> = async () => null,
): Clinics {
  const openDbs = new Map<number, Db>();
  // A new stub for each call, because a stub that has failed stays broken.
  const stub = (clinic: number) => objects.getByName(String(clinic));
  return {
    db(clinic) {
      const cached = openDbs.get(clinic);
      if (cached) return cached;
      if (openDbs.size >= MAX_OPEN) openDbs.clear();
      const findSuccessor = async () => {
        const successor = await successorOf(clinic);
        return successor === null ? null : () => stub(successor);
      };
      const db = openDb(remoteD1(() => stub(clinic), clinicMigrations, { findSuccessor }));
      openDbs.set(clinic, db);
      return db;
    },
    async found(clinic, accountId, region = '') {
      // Only the first call to an object decides its location.
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
