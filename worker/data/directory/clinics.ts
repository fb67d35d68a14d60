import { eq } from 'drizzle-orm';
import { type ClinicRow, clinics } from '#worker/data/schema/directory';
import type { Db } from '../db.ts';

const clinicTable = clinics;

/** The number of an account's clinic; undefined if it has none, or if it was erased. */
export async function findClinic(installation: Db, accountId: number): Promise<number | undefined> {
  const [row] = await installation
    .select({ number: clinicTable.number })
    .from(clinicTable)
    .where(eq(clinicTable.accountId, accountId));
  return row?.number;
}

/**
 * The time at which a clinic was created (UTC ms); 0 if there is no such clinic. It comes from the directory, so that
 * write access to the clinic's own database cannot change it.
 */
export async function findCreationTime(installation: Db, clinic: number): Promise<number> {
  const [row] = await installation
    .select({ at: clinicTable.foundedAt })
    .from(clinicTable)
    .where(eq(clinicTable.number, clinic));
  return row?.at ?? 0;
}

/** Checks for the account first, because a conflicting INSERT would use up a number. */
const INSERT_CLINIC = `INSERT INTO clinics (account, founded_at, heard_at, region)
SELECT ?1, ?2, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM clinics WHERE account = ?1)`;

/**
 * The number of an account's clinic, which is created if there is none, in one round trip. `now`: UTC ms; `region`: the
 * location of its object, empty for any.
 */
export async function addClinic({ $client }: Db, accountId: number, now: number, region = ''): Promise<number> {
  const [, selected] = await $client.batch<{ number: number }>([
    $client.prepare(INSERT_CLINIC).bind(accountId, now, region),
    $client.prepare('SELECT number FROM clinics WHERE account = ?1').bind(accountId),
  ]);
  const [row] = selected?.results ?? [];
  if (!row) throw new Error('the clinic that was added is not there');
  return row.number;
}

export const findClinicRow = async (db: Db, number: number): Promise<ClinicRow | undefined> =>
  (await db.select().from(clinics).where(eq(clinics.number, number)))[0];
