import { sql } from 'drizzle-orm';
import { type AlertRow, alerts, type Heartbeat, heartbeats } from '#worker/data/schema/alerts';
import type { Db } from '../db.ts';

export type Noted = {
  beats: Heartbeat[];
  /** Alerts that are open and were told. */
  open: Pick<AlertRow, 'event' | 'severity' | 'n' | 'accounts' | 'lastAt'>[];
};

/** What the schedule has noted of itself and of the installation: two reads in one trip. */
export async function readNoted(db: Db): Promise<Noted> {
  const { event, severity, n, accounts, lastAt } = alerts;
  const [beats, open] = await db.batch([
    db.select().from(heartbeats),
    db
      .select({ event, severity, n, accounts, lastAt })
      .from(alerts)
      .where(sql`${alerts.closedAt} IS NULL AND ${alerts.toldAt} IS NOT NULL`),
  ]);
  return { beats, open };
}
