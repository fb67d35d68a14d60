import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { clinicKeys, clinics, loginCodes, staffAddresses } from '#worker/data/schema/directory';
import { merchants, terminals, users } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

const keyTable = clinicKeys;

export type ClinicKey = { kind: (typeof keyTable.$inferSelect)['kind']; key: string };

/** The clinics to which a vendor's message may refer; several accounts may have the same terminal id. */
export async function findClinicsByKey(installation: Db, { kind, key }: ClinicKey) {
  const rows = await installation
    .select({ clinic: clinics.number, accountId: clinics.accountId })
    .from(keyTable)
    .innerJoin(clinics, eq(clinics.number, keyTable.clinic))
    .where(and(eq(keyTable.kind, kind), eq(keyTable.key, key)));
  return rows.flatMap(({ clinic, accountId }) => (accountId === null ? [] : [{ clinic, accountId }]));
}

/** The identifiers that vendors' messages use for this clinic, from its own database. */
export async function listClinicKeys(db: Db): Promise<ClinicKey[]> {
  const [merchantRows, terminalRows] = await db.batch([
    db.select({ key: merchants.merchantNumber }).from(merchants),
    db.select({ key: terminals.terminalId }).from(terminals),
  ]);
  return [
    ...merchantRows.flatMap(({ key }) => (key === null ? [] : [{ kind: 'merchant' as const, key }])),
    ...terminalRows.map(({ key }) => ({ kind: 'terminal' as const, key })),
  ];
}

/**
 * Map these keys to the clinic in the directory, unless it has been erased. Keys are never removed, because messages
 * may still use an old one.
 */
export const clinicKeysWrite = (installation: Db, clinic: number, keys: ClinicKey[]) =>
  installation
    .insert(keyTable)
    .select(
      sql`SELECT value ->> 'kind', value ->> 'key', ${clinic} FROM json_each(${JSON.stringify(keys)})
WHERE EXISTS (SELECT 1 FROM clinics WHERE number = ${clinic} AND erased_at IS NULL)`,
    )
    .onConflictDoNothing();

/** The email addresses of a clinic's staff, from its own database. */
export async function listStaffEmails(db: Db): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: users.email })
    .from(users)
    .where(sql`removed_at IS NULL AND email <> ''`)
    .orderBy(users.email)
    .limit(500);
  return rows.map(({ email }) => email);
}

/** Statements for a batch: store the hashes of a clinic's staff addresses in the directory, and delete all others. */
export const staffAddressWrites = (installation: Db, clinic: number, hashes: string[]) => {
  const current = sql`SELECT value FROM json_each(${JSON.stringify(hashes)})`;
  return [
    installation
      .delete(staffAddresses)
      .where(and(eq(staffAddresses.clinic, clinic), sql`address_hash NOT IN (${current})`)),
    installation
      .insert(staffAddresses)
      .select(sql`SELECT value, ${clinic} FROM json_each(${JSON.stringify(hashes)}) WHERE true`)
      .onConflictDoNothing(),
  ] as const;
};

/** Clinics that have an address, found by any of its hashes; 20 at most. */
export async function findClinicsByAddress(installation: Db, hashes: string[]) {
  const rows = await installation
    .selectDistinct({ clinic: clinics.number, accountId: clinics.accountId, name: clinics.name })
    .from(staffAddresses)
    .innerJoin(clinics, eq(clinics.number, staffAddresses.clinic))
    .where(and(inArray(staffAddresses.addressHash, hashes), isNotNull(clinics.accountId)))
    .orderBy(clinics.number)
    .limit(20);
  return rows.flatMap(({ accountId, ...row }) => (accountId === null ? [] : [{ ...row, accountId }]));
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Store a code. False if its address already has `perHour` codes of the last hour or `perDay` of the last day. */
export async function insertLoginCode(
  installation: Db,
  row: Omit<typeof loginCodes.$inferInsert, 'tries' | 'takenAt'>,
  { perHour, perDay }: { perHour: number; perDay: number },
): Promise<boolean> {
  const { id, addressHash, codeHash, browserHash, createdAt, endsAt } = row;
  const countCodesWithin = (ms: number) =>
    sql`(SELECT count(*) FROM login_codes WHERE address_hash = ${addressHash} AND created_at > ${createdAt - ms})`;
  const inserted = await installation
    .insert(loginCodes)
    .select(
      sql`SELECT ${id}, ${addressHash}, ${codeHash}, ${browserHash}, ${createdAt}, ${endsAt}, 0, NULL
        WHERE ${countCodesWithin(HOUR_MS)} < ${perHour} AND ${countCodesWithin(DAY_MS)} < ${perDay}`,
    )
    .returning({ id: loginCodes.id });
  return inserted.length === 1;
}

/** Count an attempt with a code of this browser. Undefined if it was used, has expired, or allows no more attempts. */
export async function countLoginCodeAttempt(
  installation: Db,
  { id, browserHash }: { id: string; browserHash: string },
  maxAttempts: number,
  now: number,
) {
  const [row] = await installation
    .update(loginCodes)
    .set({ tries: sql`tries + 1` })
    .where(
      and(
        eq(loginCodes.id, id),
        eq(loginCodes.browserHash, browserHash),
        sql`taken_at IS NULL AND ends_at > ${now} AND tries < ${maxAttempts}`,
      ),
    )
    .returning({ addressHash: loginCodes.addressHash, codeHash: loginCodes.codeHash });
  return row;
}

/** Redeem a code. False if another request did so first. */
export async function redeemLoginCode(installation: Db, id: string, now: number): Promise<boolean> {
  const redeemed = await installation
    .update(loginCodes)
    .set({ takenAt: now })
    .where(and(eq(loginCodes.id, id), sql`taken_at IS NULL`))
    .returning({ id: loginCodes.id });
  return redeemed.length === 1;
}
