import { asc, desc, isNull, sql } from 'drizzle-orm';
import type { Db } from '#worker/data/db';
import { type AlertRow, alerts } from '#worker/data/schema/alerts';

/** Alerts that stand, those that nobody has acknowledged first, then the oldest. */
export const listOpenAlerts = (db: Db, limit: number): Promise<AlertRow[]> =>
  db
    .select()
    .from(alerts)
    .where(isNull(alerts.closedAt))
    .orderBy(desc(sql`${alerts.ackedAt} IS NULL`), asc(alerts.firstAt))
    .limit(limit);
