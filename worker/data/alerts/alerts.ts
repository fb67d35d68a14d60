import { and, asc, desc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import { clinics } from '#worker/data/schema/directory';
import { outbox } from '#worker/data/schema/mail';
import { type AffectedRow, type AlertRow, alertAccounts, alerts, type Severity } from '#worker/data/schema/monitoring';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';

/** The installation's alerts. Each problem has one row, with the accounts that it affects. */

export type NewAlert = {
  key: string;
  event: string;
  subject: string;
  severity: Severity;
  /** The first and last occurrence, UTC ms. */
  firstAt: number;
  lastAt: number;
  n: number;
  /** JSON. */
  fields: string;
  /** The time of the first occurrence (UTC ms), by account; 0 is the installation. */
  accounts: Map<number, number>;
};

/** The right-hand sides of an UPDATE read the old values, so a closed alert that occurs again starts over. */
const UPSERT_ALERT = `INSERT INTO alerts (key, event, subject, severity, first_at, last_at, n, fields)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (key) DO UPDATE SET
  severity = excluded.severity,
  first_at = iif(closed_at IS NULL, min(first_at, excluded.first_at), excluded.first_at),
  last_at = max(last_at, excluded.last_at),
  n = iif(closed_at IS NULL, n, 0) + excluded.n,
  told_n = iif(closed_at IS NULL, told_n, 0),
  told_accounts = iif(closed_at IS NULL, told_accounts, 0),
  acked_at = iif(closed_at IS NULL, acked_at, NULL),
  acked_by = iif(closed_at IS NULL, acked_by, ''),
  closed_at = NULL, closed_as = '', fields = excluded.fields`;

const INSERT_AFFECTED = `INSERT OR IGNORE INTO alert_accounts (key, account, first_at)
SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)`;

/** Store alerts, in one transaction. */
export async function saveAlerts({ $client: d1 }: Db, newAlerts: NewAlert[]): Promise<void> {
  await d1.batch(
    newAlerts.flatMap(({ key, event, subject, severity, firstAt, lastAt, n, fields, accounts }) => [
      d1.prepare(UPSERT_ALERT).bind(key, event, subject, severity, firstAt, lastAt, n, fields),
      d1.prepare(INSERT_AFFECTED).bind(key, JSON.stringify([...accounts])),
    ]),
  );
}

/** The accounts of these clinics, by clinic number. */
export async function accountsOfClinics({ $client: d1 }: Db, clinics: number[]): Promise<Map<number, number>> {
  const { results } = await d1
    .prepare(
      `SELECT number, account FROM clinics
WHERE account IS NOT NULL AND number IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(clinics))
    .all<{ number: number; account: number }>();
  return new Map(results.map(({ number, account }) => [number, account]));
}

export type OpenAlert = AlertRow & { affected: AffectedRow[] };

/** Read the open alerts with their accounts, oldest first, and the alerts reported after `reportedSince` (UTC ms). */
export async function readOpenAlerts(
  db: Db,
  reportedSince: number,
): Promise<{ open: OpenAlert[]; reported: ReportedAlert[] }> {
  const [open, affected, reported] = await db.batch([
    db.select().from(alerts).where(isNull(alerts.closedAt)).orderBy(asc(alerts.firstAt)),
    db.select().from(alertAccounts).orderBy(asc(alertAccounts.firstAt)),
    db
      .select({ key: alerts.key, severity: alerts.severity, toldAt: alerts.toldAt })
      .from(alerts)
      .where(sql`${alerts.toldAt} IS NOT NULL AND ${alerts.toldAt} > ${reportedSince}`),
  ]);
  const byKey = Map.groupBy(affected, ({ key }) => key);
  return { open: open.map((row) => ({ ...row, affected: byKey.get(row.key) ?? [] })), reported: reported };
}
export type ReportedAlert = Pick<AlertRow, 'key' | 'severity' | 'toldAt'>;

/** The accounts that alerts affect, with the event of each alert. */
export const listAffectedAccounts = (
  db: Db,
): Promise<(AffectedRow & { event: string; subject: string; lastAt: number })[]> =>
  db
    .select({
      key: alertAccounts.key,
      account: alertAccounts.account,
      firstAt: alertAccounts.firstAt,
      event: alerts.event,
      subject: alerts.subject,
      lastAt: alerts.lastAt,
    })
    .from(alertAccounts)
    .innerJoin(alerts, eq(alerts.key, alertAccounts.key));

/** Clear accounts that are no longer affected, and close alerts that affect none. */
export async function clearAffected({ $client: d1 }: Db, cleared: [key: string, account: number][], at: number) {
  const byKey = Map.groupBy(cleared, ([key]) => key);
  await d1.batch(
    [...byKey].flatMap(([key, pairs]) => [
      d1
        .prepare('DELETE FROM alert_accounts WHERE key = ?1 AND account IN (SELECT value FROM json_each(?2))')
        .bind(key, JSON.stringify(pairs.map(([, account]) => account))),
      d1
        .prepare(
          `UPDATE alerts SET closed_at = ?2, closed_as = 'over' WHERE key = ?1 AND closed_at IS NULL
AND NOT EXISTS (SELECT 1 FROM alert_accounts WHERE key = ?1)`,
        )
        .bind(key, at),
    ]),
  );
}

/** Update `last_at` of measured alerts that persist. */
export async function updateLastOccurrence({ $client: d1 }: Db, keys: string[], at: number): Promise<void> {
  await d1
    .prepare('UPDATE alerts SET last_at = ?2 WHERE closed_at IS NULL AND key IN (SELECT value FROM json_each(?1))')
    .bind(JSON.stringify(keys), at)
    .run();
}

/** Close alerts that have not occurred again since they were read. */
export async function closeSilentAlerts({ $client: d1 }: Db, silent: Pick<AlertRow, 'key' | 'lastAt'>[], at: number) {
  await d1.batch(
    silent.flatMap(({ key, lastAt }) => [
      d1
        .prepare(
          `UPDATE alerts SET closed_at = ?3, closed_as = 'silent' WHERE key = ?1 AND last_at = ?2 AND closed_at IS NULL`,
        )
        .bind(key, lastAt, at),
      d1
        .prepare(
          `DELETE FROM alert_accounts WHERE key = ?1
AND EXISTS (SELECT 1 FROM alerts WHERE key = ?1 AND closed_at IS NOT NULL)`,
        )
        .bind(key),
    ]),
  );
}

/**
 * Claim the right to report alerts in the state that was read, and queue the email that reports them. False if another
 * run was faster. The email is queued only if the first claim succeeds.
 */
export async function claimNotification(
  db: Db,
  reported: AlertRow[],
  at: number,
  mail: NewMail | null,
): Promise<boolean> {
  const claims = reported.map(({ key, n, accounts, toldN, toldAccounts, toldAt }) =>
    db
      .update(alerts)
      .set({ toldAt: at, toldN: n, toldAccounts: accounts })
      .where(
        and(
          eq(alerts.key, key),
          eq(alerts.toldN, toldN),
          eq(alerts.toldAccounts, toldAccounts),
          sql`${alerts.toldAt} IS ${toldAt}`,
        ),
      )
      .returning({ key: alerts.key }),
  );
  const [first, ...others] = claims;
  if (!first) return false;
  const [claimed] = mail
    ? await db.batch([first, queueMailOnce(db, mail, at), ...others])
    : await db.batch([first, ...others]);
  return claimed.length > 0;
}

/** Runs directly after a claim, so that only the winner queues the email. */
const queueMailOnce = (db: Db, { details = {}, ...mail }: NewMail, at: number) =>
  db
    .insert(outbox)
    .select(
      selectValues(
        outbox,
        { ...mail, details: JSON.stringify(details), nextTryAt: at, createdAt: at },
        sql`changes() > 0`,
      ),
    )
    .onConflictDoNothing();

/** Undo a report that reached no one, so that it is sent again. */
export async function releaseNotification(db: Db, reported: AlertRow[], at: number): Promise<void> {
  for (const { key, toldAt, toldN, toldAccounts } of reported)
    await db
      .update(alerts)
      .set({ toldAt, toldN, toldAccounts })
      .where(and(eq(alerts.key, key), eq(alerts.toldAt, at)));
}

/** Record the operator who handles an open alert. False if it is not open, or is already acknowledged. */
export async function recordAcknowledgment(
  db: Db,
  key: string,
  operator: string,
  at: number,
  event: NewEvent,
): Promise<boolean> {
  const [rows] = await db.batch([
    db
      .update(alerts)
      .set({ ackedAt: at, ackedBy: operator })
      .where(and(eq(alerts.key, key), isNull(alerts.closedAt), isNull(alerts.ackedAt)))
      .returning({ key: alerts.key }),
    eventWrite(db, event),
  ]);
  return rows.length === 1;
}

/** A clinic that an alert affects. */
export type AffectedClinic = { number: number; account: number; name: string };
export type AlertWithClinics = AlertRow & { clinics: AffectedClinic[] };

/** Limits on the listed clinics, in total and per alert, because an alert may affect all clinics. */
const MAX_CLINICS = 500;
const MAX_PER_ALERT = 20;

/** Open alerts, each with some of its clinics. Unacknowledged alerts come first, then the oldest. */
export async function listOpenAlerts(db: Db, limit: number): Promise<AlertWithClinics[]> {
  const [rows, affected] = await db.batch([
    db
      .select()
      .from(alerts)
      .where(isNull(alerts.closedAt))
      .orderBy(desc(sql`${alerts.ackedAt} IS NULL`), asc(alerts.firstAt))
      .limit(limit),
    db
      .select({ key: alertAccounts.key, number: clinics.number, account: alertAccounts.account, name: clinics.name })
      .from(alertAccounts)
      .innerJoin(clinics, eq(clinics.accountId, alertAccounts.account))
      .where(ne(alertAccounts.account, 0))
      .orderBy(asc(alertAccounts.firstAt))
      .limit(MAX_CLINICS),
  ]);
  const byKey = Map.groupBy(affected, ({ key }) => key);
  return rows.map((row) => ({
    ...row,
    clinics: (byKey.get(row.key) ?? [])
      .slice(0, MAX_PER_ALERT)
      .map(({ number, account, name }) => ({ number, account, name })),
  }));
}

/** Open alerts of an account, oldest first. */
export const listAlertsOf = (db: Db, accountId: number): Promise<AlertRow[]> =>
  db
    .select(getTableColumns(alerts))
    .from(alerts)
    .innerJoin(alertAccounts, eq(alertAccounts.key, alerts.key))
    .where(and(eq(alertAccounts.account, accountId), isNull(alerts.closedAt)))
    .orderBy(asc(alerts.firstAt));
