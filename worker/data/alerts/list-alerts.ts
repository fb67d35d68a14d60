import { and, asc, desc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '#worker/data/db';
import { type AlertRow, alertAccounts, alerts } from '#worker/data/schema/alerts';
import { clinics } from '#worker/data/schema/directory';

/** A clinic that an alert touches. */
export type TouchedClinic = { number: number; account: number; name: string };
export type StandingAlert = AlertRow & { clinics: TouchedClinic[] };

/** Clinics that are named in all; an alert may touch every one. */
const CLINICS = 500;
const NAMED = 20;

/** Alerts that stand, those that nobody has acknowledged first, then the oldest, each with some of its clinics. */
export async function listOpenAlerts(db: Db, limit: number): Promise<StandingAlert[]> {
  const [rows, touched] = await db.batch([
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
      .limit(CLINICS),
  ]);
  const byKey = Map.groupBy(touched, ({ key }) => key);
  return rows.map((row) => ({
    ...row,
    clinics: (byKey.get(row.key) ?? []).slice(0, NAMED).map(({ number, account, name }) => ({ number, account, name })),
  }));
}

/** Alerts that stand at an account, the oldest first. */
export const listAlertsOf = (db: Db, accountId: number): Promise<AlertRow[]> =>
  db
    .select(getTableColumns(alerts))
    .from(alerts)
    .innerJoin(alertAccounts, eq(alertAccounts.key, alerts.key))
    .where(and(eq(alertAccounts.account, accountId), isNull(alerts.closedAt)))
    .orderBy(asc(alerts.firstAt));
