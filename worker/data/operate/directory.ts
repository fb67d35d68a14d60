import { asc, eq, gt } from 'drizzle-orm';
import { type ClinicRow, clinics } from '#worker/data/schema/directory';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Clinics behind a number, in order. */
export const listClinics = (installation: Db, after: number, limit: number): Promise<ClinicRow[]> =>
  installation.select().from(clinics).where(gt(clinics.number, after)).orderBy(asc(clinics.number)).limit(limit);

export const findRow = async (installation: Db, clinic: number): Promise<ClinicRow | undefined> =>
  (await installation.select().from(clinics).where(eq(clinics.number, clinic)))[0];

/** A number for a clinic that is put back: no account reaches it before `nameClinic`. `now`: UTC ms. */
export async function addNamelessClinic({ $client }: Db, now: number): Promise<number> {
  const number = await $client
    .prepare('INSERT INTO clinics (account, founded_at, heard_at) VALUES (NULL, ?1, ?1) RETURNING number')
    .bind(now)
    .first<number>('number');
  if (number === null) throw new Error('the clinic that was added is not there');
  return number;
}

/** Lead the account to this clinic. False: it has another one meanwhile. */
export async function nameClinic({ $client }: Db, clinic: number, account: number, event: TextEvent): Promise<boolean> {
  const [named] = await $client.batch([
    $client
      .prepare(
        `UPDATE clinics SET account = ?2 WHERE number = ?1 AND account IS NULL AND erased_at IS NULL
AND NOT EXISTS (SELECT 1 FROM clinics WHERE account = ?2)`,
      )
      .bind(clinic, account),
    eventStatement($client, event),
  ]);
  return named?.meta.changes === 1;
}

const ITS = '(SELECT account FROM clinics WHERE number = ?1)';

/** What else of the installation's tables names the account; ?1 is the clinic, ?2 the time (UTC ms). */
const TRACES = [
  // Logins that were on their way.
  `DELETE FROM tickets WHERE hub_id = ${ITS}`,
  'DELETE FROM clinic_keys WHERE clinic = ?1',
  `UPDATE alerts SET closed_at = ?2, closed_as = 'over' WHERE closed_at IS NULL
AND key IN (SELECT key FROM alert_accounts WHERE account = ${ITS})
AND NOT EXISTS (SELECT 1 FROM alert_accounts o WHERE o.key = alerts.key AND o.account <> ${ITS})`,
  `DELETE FROM alert_accounts WHERE account = ${ITS}`,
  `UPDATE alerts SET fields = '{}' WHERE json_extract(fields, '$.accountId') = ${ITS}`,
  // A message may name several clinics, and may still be owed.
  `UPDATE outbox SET details = replace(details, ${ITS}, 'erased') WHERE kind = 'alert' AND instr(details, ${ITS}) > 0`,
];

/**
 * Forget whose clinic it was, in one transaction with the event: its number stays, and is never given again. `at`: UTC
 * ms.
 */
export async function forgetClinic({ $client }: Db, clinic: number, at: number, event: TextEvent): Promise<void> {
  await $client.batch([
    ...TRACES.map((text) =>
      text.includes('?2') ? $client.prepare(text).bind(clinic, at) : $client.prepare(text).bind(clinic),
    ),
    $client
      .prepare(
        `UPDATE clinics SET account = NULL, name = '', erased_at = ?2, bytes = 0, failing_since = NULL, needs_human = 0,
last_payment_at = NULL, stuck_since = NULL, head_seq = 0, head_hash = '', older_keys = ''
WHERE number = ?1 AND erased_at IS NULL`,
      )
      .bind(clinic, at),
    eventStatement($client, event),
  ]);
}
