import { eq } from 'drizzle-orm';
import { clinics } from '#worker/data/schema/directory';
import type { Db } from '../db.ts';

const t = clinics;

/** The number of an account's clinic; undefined: it has none, or it was erased. */
export async function findClinic(installation: Db, accountId: number): Promise<number | undefined> {
  const [row] = await installation.select({ number: t.number }).from(t).where(eq(t.accountId, accountId));
  return row?.number;
}

/** When a clinic was founded (UTC ms), as nobody who can write to its own database can change it; 0: there is none. */
export async function foundedAt(installation: Db, clinic: number): Promise<number> {
  const [row] = await installation.select({ at: t.foundedAt }).from(t).where(eq(t.number, clinic));
  return row?.at ?? 0;
}

/**
 * Give an account's clinic a number. Of several at once all get the same. `now`: UTC ms; `region`: where its object is
 * to be made, empty for anywhere.
 */
export async function addClinic(installation: Db, accountId: number, now: number, region = ''): Promise<number> {
  const known = await findClinic(installation, accountId);
  if (known !== undefined) return known;
  await installation.insert(t).values({ accountId, foundedAt: now, heardAt: now, region }).onConflictDoNothing();
  const number = await findClinic(installation, accountId);
  if (number === undefined) throw new Error('the clinic that was added is not there');
  return number;
}
