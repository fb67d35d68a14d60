import { asc, desc, isNull, sql } from 'drizzle-orm';
import { eventStatement, type TextEvent } from '#worker/data/audit/events';
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

/** Acknowledge an alert that stands. False: it is over, or somebody did already. `at`: UTC ms. */
export async function acknowledgeAlert(
  { $client }: Db,
  key: string,
  by: string,
  at: number,
  event: TextEvent,
): Promise<boolean> {
  const [done] = await $client.batch([
    $client
      .prepare(
        `UPDATE alerts SET acked_at = ?2, acked_by = ?3 WHERE key = ?1 AND closed_at IS NULL AND acked_at IS NULL`,
      )
      .bind(key, at, by),
    eventStatement($client, event),
  ]);
  return (done?.meta.changes ?? 0) > 0;
}
