import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { clinics, statusReports } from '#worker/data/schema/directory';
import { businessNameIn } from '../business-name.ts';
import type { Db } from '../db.ts';
import { UNDECIDED } from '../schema/payments.ts';
import { type ClinicKey, clinicKeysWrite, staffAddressWrites } from './clinic-keys.ts';

const clinicTable = clinics;

/**
 * A clinic without a report for this long (ms) is silent. It reports every 15 minutes, and the cron wakes it after 20.
 */
export const SILENT_MS = 25 * 60_000;

/** A clinic's report, for the operator, the anchors of the audit trail, and the removal of old keys. */
export type StatusReport = {
  accountId: number;
  name: string;
  failingSince: number | null;
  needsHuman: number;
  lastPaymentAt: number | null;
  stuckSince: number | null;
  /** 1 if Apple Pay is switched on, but its host is not registered. */
  applePayPending: number;
  /** 1 if Google Pay is switched on. */
  takesGooglePay: number;
  headSeq: number;
  headHash: string;
  bytes: number;
};

/** A clinic's current state, read from its own database in one round trip. Times in UTC ms. */
export async function readStatusReport({ $client }: Db): Promise<StatusReport | null> {
  const { results, meta } = await $client
    .prepare(
      `SELECT h.account_id AS accountId, ${businessNameIn('h')} AS name,
  (SELECT min(failing_since) FROM crm_sync_states) AS failingSince,
  (SELECT count(*) FROM payment_attempts INDEXED BY payment_attempts_undecided
    WHERE account_id = h.account_id AND ${UNDECIDED} AND state = 'needs_human') AS needsHuman,
  (SELECT at FROM ledger WHERE account_id = h.account_id AND kind = 'payment' ORDER BY at DESC LIMIT 1) AS lastPaymentAt,
  (SELECT min(created_at) FROM payment_attempts INDEXED BY payment_attempts_undecided
    WHERE account_id = h.account_id AND ${UNDECIDED} AND state = 'unknown') AS stuckSince,
  h.apple_pay_next_at IS NOT NULL AS applePayPending, h.takes_google_pay AS takesGooglePay,
  coalesce((SELECT to_seq FROM audit_seals WHERE account_id = h.account_id ORDER BY from_seq DESC LIMIT 1), 0) AS headSeq,
  coalesce((SELECT hash FROM audit_seals WHERE account_id = h.account_id ORDER BY from_seq DESC LIMIT 1), '') AS headHash
FROM accounts h LIMIT 1`,
    )
    .all<Omit<StatusReport, 'bytes'>>();
  const [status] = results;
  return status ? { ...status, bytes: meta.size_after } : null;
}

/**
 * Save a clinic's report, its identifiers at the vendors, and the hashes of its staff's addresses. `heardAt`: UTC ms;
 * `olderKeys`: ids of keys other than the newest that still seal values there.
 */
export async function saveStatusReport(
  installation: Db,
  clinic: number,
  { accountId: _, ...status }: StatusReport,
  extra: { heardAt: number; schema: number; olderKeys: string },
  keys: ClinicKey[] = [],
  addresses: string[] = [],
): Promise<void> {
  await installation.batch([
    installation
      .update(clinicTable)
      .set({ ...status, ...extra })
      .where(and(eq(clinicTable.number, clinic), isNull(clinicTable.erasedAt))),
    clinicKeysWrite(installation, clinic, keys),
    ...staffAddressWrites(installation, clinic, addresses),
  ]);
}

/**
 * Record contact with a clinic that is not connected yet and so has no report. A clinic that has reported before has
 * lost its records, and stays silent. `heardAt`: UTC ms.
 */
export async function recordContact(installation: Db, clinic: number, heardAt: number): Promise<void> {
  await installation
    .update(clinicTable)
    .set({ heardAt })
    .where(and(eq(clinicTable.number, clinic), isNull(clinicTable.erasedAt), eq(clinicTable.name, '')));
}

/** The last report of a clinic, from its own database; `at`: UTC ms. */
export async function findLastReport(db: Db, accountId: number): Promise<{ text: string; at: number } | undefined> {
  const [report] = await db.select().from(statusReports).where(eq(statusReports.accountId, accountId));
  return report;
}

export async function saveLastReport(db: Db, report: typeof statusReports.$inferInsert): Promise<void> {
  const { text, at } = report;
  await db
    .insert(statusReports)
    .values(report)
    .onConflictDoUpdate({ target: statusReports.accountId, set: { text, at } });
}

/** The newest seals that clinics have reported. */
export async function listClinicHeads(installation: Db): Promise<{ account: number; seq: number; hash: string }[]> {
  const rows = await installation
    .select({ account: clinicTable.accountId, seq: clinicTable.headSeq, hash: clinicTable.headHash })
    .from(clinicTable)
    .where(and(isNull(clinicTable.erasedAt), gt(clinicTable.headSeq, 0)))
    .orderBy(asc(clinicTable.accountId));
  return rows.flatMap(({ account, seq, hash }) => (account === null ? [] : [{ account, seq, hash }]));
}

/** Clinics without a report since `cutoff` (UTC ms), in numeric order starting at `from` and wrapping around. */
export async function listSilentClinics(
  installation: Db,
  { cutoff, from, limit }: { cutoff: number; from: number; limit: number },
): Promise<number[]> {
  const rows = await installation
    .select({ number: clinicTable.number })
    .from(clinicTable)
    .where(and(isNull(clinicTable.erasedAt), lt(clinicTable.heardAt, cutoff)))
    .orderBy(sql`${clinicTable.number} < ${from}`, asc(clinicTable.number))
    .limit(limit);
  return rows.map(({ number }) => number);
}

/** The highest clinic number; 0 if there is none. */
export const findLastClinicNumber = async ({ $client }: Db): Promise<number> =>
  (await $client.prepare('SELECT max(number) AS last FROM clinics').first<number>('last')) ?? 0;

/** Ids of older keys that clinics report as still in use. */
export async function listOlderKeys(installation: Db): Promise<Set<string>> {
  const rows = await installation
    .selectDistinct({ ids: clinicTable.olderKeys })
    .from(clinicTable)
    .where(isNull(clinicTable.erasedAt));
  return new Set(rows.flatMap(({ ids }) => ids.split(' ')).filter((id) => id !== ''));
}

/** True if a clinic accepts Google Pay, as of its last report. */
export async function acceptsGooglePay(installation: Db): Promise<boolean> {
  const rows = await installation
    .select({ number: clinicTable.number })
    .from(clinicTable)
    // Written as in the condition of the index, which a parameter would not match.
    .where(sql`${clinicTable.takesGooglePay} = 1`)
    .limit(1);
  return rows.length > 0;
}

/** True if all clinics have reported since `start` (UTC ms). */
export async function haveAllReported(installation: Db, start: number): Promise<boolean> {
  const rows = await installation
    .select({ number: clinicTable.number })
    .from(clinicTable)
    .where(and(isNull(clinicTable.erasedAt), lt(clinicTable.heardAt, start)))
    .limit(1);
  return rows.length === 0;
}
