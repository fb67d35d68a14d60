import { asc, eq, gt } from 'drizzle-orm';
import { type ClinicRow, clinics } from '#worker/data/schema/directory';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Clinics with a number above `after`, in order. */
export const listClinics = (installation: Db, after: number, limit: number): Promise<ClinicRow[]> =>
  installation.select().from(clinics).where(gt(clinics.number, after)).orderBy(asc(clinics.number)).limit(limit);

export const findDirectoryRow = async (installation: Db, clinic: number): Promise<ClinicRow | undefined> =>
  (await installation.select().from(clinics).where(eq(clinics.number, clinic)))[0];

/**
 * Adds a clinic for a restore and returns its number; no account reaches it before `assignAccount`. `predecessor`: the
 * number of the clinic whose records were lost, if any. `now`: UTC ms.
 */
export async function addClinicWithoutAccount(
  { $client }: Db,
  now: number,
  predecessor: number | null,
): Promise<number> {
  const number = await $client
    .prepare(
      'INSERT INTO clinics (account, founded_at, heard_at, predecessor) VALUES (NULL, ?1, ?1, ?2) RETURNING number',
    )
    .bind(now, predecessor)
    .first<number>('number');
  if (number === null) throw new Error('the clinic that was added is not there');
  return number;
}

const ACCOUNT_OF_CLINIC = '(SELECT account FROM clinics WHERE number = ?1)';

/** Statements that remove a clinic from the directory, and its pending logins. `at`: UTC ms. */
const removalWrites = ($client: D1Database, clinic: number, at: number) => [
  $client.prepare(`DELETE FROM handoff_codes WHERE account_id = ${ACCOUNT_OF_CLINIC}`).bind(clinic),
  $client.prepare('DELETE FROM clinic_keys WHERE clinic = ?1').bind(clinic),
  $client.prepare('DELETE FROM staff_addresses WHERE clinic = ?1').bind(clinic),
  $client
    .prepare(
      `UPDATE clinics SET account = NULL, name = '', erased_at = ?2, bytes = 0, failing_since = NULL, needs_human = 0,
last_payment_at = NULL, stuck_since = NULL, apple_pay_pending = 0, takes_google_pay = 0, head_seq = 0, head_hash = '', older_keys = '', dumped_at = 0
WHERE number = ?1 AND erased_at IS NULL`,
    )
    .bind(clinic, at),
];

/**
 * Assign the account to this clinic, and remove it from the clinic whose records were lost. False if the account now
 * has another clinic. `at`: UTC ms.
 */
export async function assignAccount(
  { $client }: Db,
  { number, predecessor }: Pick<ClinicRow, 'number' | 'predecessor'>,
  account: number,
  at: number,
  event: TextEvent,
): Promise<boolean> {
  const results = await $client.batch([
    ...(predecessor === null ? [] : removalWrites($client, predecessor, at)),
    $client
      .prepare(
        `UPDATE clinics SET account = ?2 WHERE number = ?1 AND account IS NULL AND erased_at IS NULL
AND NOT EXISTS (SELECT 1 FROM clinics WHERE account = ?2)`,
      )
      .bind(number, account),
    eventStatement($client, event),
  ]);
  return results.at(-2)?.meta.changes === 1;
}

/** Statements for other installation tables that contain the account; ?1: the clinic, ?2: the time (UTC ms). */
const ACCOUNT_REMOVALS = [
  `UPDATE alerts SET closed_at = ?2, closed_as = 'over' WHERE closed_at IS NULL
AND key IN (SELECT key FROM alert_accounts WHERE account = ${ACCOUNT_OF_CLINIC})
AND NOT EXISTS (SELECT 1 FROM alert_accounts o WHERE o.key = alerts.key AND o.account <> ${ACCOUNT_OF_CLINIC})`,
  `DELETE FROM alert_accounts WHERE account = ${ACCOUNT_OF_CLINIC}`,
  `UPDATE alerts SET fields = '{}' WHERE json_extract(fields, '$.accountId') = ${ACCOUNT_OF_CLINIC}`,
  // A message may list several clinics, and may still be unsent.
  `UPDATE outbox SET details = replace(details, ${ACCOUNT_OF_CLINIC}, 'erased') WHERE kind = 'alert' AND instr(details, ${ACCOUNT_OF_CLINIC}) > 0`,
];

/**
 * Remove the account from a clinic's row, in one transaction with the event. The number stays and is never reused.
 * `at`: UTC ms.
 */
export async function removeAccountFromClinic(
  { $client }: Db,
  clinic: number,
  at: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    ...ACCOUNT_REMOVALS.map((text) =>
      text.includes('?2') ? $client.prepare(text).bind(clinic, at) : $client.prepare(text).bind(clinic),
    ),
    ...removalWrites($client, clinic, at),
    eventStatement($client, event),
  ]);
}

/** The clinic to which a lost clinic was restored, even across several restores; null if there is none. */
export const findSuccessor = ({ $client }: Db, clinic: number): Promise<number | null> =>
  $client
    .prepare(
      `WITH RECURSIVE later (number) AS (
  VALUES (?1) UNION SELECT c.number FROM later l JOIN clinics c INDEXED BY clinics_predecessor ON c.predecessor = l.number)
SELECT c.number FROM later l JOIN clinics c ON c.number = l.number
WHERE c.number <> ?1 AND c.account IS NOT NULL AND c.erased_at IS NULL`,
    )
    .bind(clinic)
    .first<number>('number');

/** The number of an account's clinic, and the numbers of its lost predecessors. */
export async function listClinicNumbersOf({ $client }: Db, account: number): Promise<number[]> {
  const { results } = await $client
    .prepare(
      `WITH RECURSIVE own (number, predecessor) AS (
  SELECT number, predecessor FROM clinics WHERE account = ?1
  UNION SELECT c.number, c.predecessor FROM own o JOIN clinics c ON c.number = o.predecessor)
SELECT number FROM own ORDER BY number`,
    )
    .bind(account)
    .all<{ number: number }>();
  return results.map(({ number }) => number);
}

/** Record that a clinic's dump has ended. `at`: UTC ms. The installation (0) stores this in its own row. */
export async function recordDumpEnd(installation: Db, clinic: number, at: number): Promise<void> {
  await installation.update(clinics).set({ dumpedAt: at }).where(eq(clinics.number, clinic));
}

/**
 * The time of the oldest last dump of all databases (UTC ms); for a database without a dump, the time of its creation
 * counts. It shows how late a dump is; the age of the dumps is in the directory's totals.
 */
export async function findOldestDumpTime({ $client }: Db): Promise<number> {
  const oldest = await $client
    .prepare(
      `SELECT min(at) AS at FROM (SELECT ended_at AS at FROM dumps UNION ALL
SELECT min(max(dumped_at, founded_at)) FROM clinics INDEXED BY clinics_dumped WHERE erased_at IS NULL AND account IS NOT NULL)`,
    )
    .first<number>('at');
  if (oldest === null) throw new Error('no dump was planned');
  return oldest;
}
