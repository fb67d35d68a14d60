import { and, eq, sql } from 'drizzle-orm';
import { clinicKeys, clinics } from '#worker/data/schema/directory';
import { merchants, terminals } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

const k = clinicKeys;

export type ClinicKey = { kind: (typeof k.$inferSelect)['kind']; key: string };

/** The clinics that a vendor's message means: a terminal's id may be known to several accounts. */
export async function findClinicsByKey(installation: Db, { kind, key }: ClinicKey) {
  const rows = await installation
    .select({ clinic: clinics.number, accountId: clinics.accountId })
    .from(k)
    .innerJoin(clinics, eq(clinics.number, k.clinic))
    .where(and(eq(k.kind, kind), eq(k.key, key)));
  return rows.flatMap(({ clinic, accountId }) => (accountId === null ? [] : [{ clinic, accountId }]));
}

/** By what the vendors' messages name this clinic, as its own database has it. */
export async function listOwnKeys(db: Db): Promise<ClinicKey[]> {
  const [numbers, devices] = await db.batch([
    db.select({ key: merchants.merchantNumber }).from(merchants),
    db.select({ key: terminals.terminalId }).from(terminals),
  ]);
  return [
    ...numbers.flatMap(({ key }) => (key === null ? [] : [{ kind: 'merchant' as const, key }])),
    ...devices.map(({ key }) => ({ kind: 'terminal' as const, key })),
  ];
}

/**
 * Say in the directory that these keys mean this clinic, unless it was erased meanwhile. Keys are never taken back: an
 * old one may still be named.
 */
export const clinicKeysWrite = (installation: Db, clinic: number, keys: ClinicKey[]) =>
  installation
    .insert(k)
    .select(
      sql`SELECT value ->> 'kind', value ->> 'key', ${clinic} FROM json_each(${JSON.stringify(keys)})
WHERE EXISTS (SELECT 1 FROM clinics WHERE number = ${clinic} AND erased_at IS NULL)`,
    )
    .onConflictDoNothing();
