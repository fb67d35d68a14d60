import { sql } from 'drizzle-orm';
import { type AlertRow, alerts, type Heartbeat, heartbeats } from '#worker/data/schema/monitoring';
import type { Db } from '../db.ts';

export type AlertState = {
  beats: Heartbeat[];
  /** Open alerts that were reported. */
  open: Pick<AlertRow, 'event' | 'severity' | 'n' | 'accounts' | 'lastAt'>[];
};

/** The stored state of the schedule and of the installation, in one round trip. */
export async function readAlertState(db: Db): Promise<AlertState> {
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

/** A run of a job. Times in UTC ms. */
export type JobRun = { job: string; startedAt: number; finishedAt: number; ok: boolean };

const UPSERT_HEARTBEAT = `INSERT INTO heartbeats (job, started_at, finished_at, ok, ms, ok_at)
VALUES (?1, ?2, ?3, ?4, ?3 - ?2, iif(?4, ?3, ?2))
ON CONFLICT (job) DO UPDATE SET started_at = excluded.started_at, finished_at = excluded.finished_at,
  ok = excluded.ok, ms = excluded.ms, ok_at = iif(excluded.ok, excluded.finished_at, ok_at)
WHERE excluded.finished_at >= finished_at`;

/** Store the last run of each job, in one round trip. */
export async function saveHeartbeats({ $client: d1 }: Db, beats: JobRun[]): Promise<void> {
  await d1.batch(
    beats.map(({ job, startedAt, finishedAt, ok }) =>
      d1.prepare(UPSERT_HEARTBEAT).bind(job, startedAt, finishedAt, ok ? 1 : 0),
    ),
  );
}

export const listHeartbeats = (db: Db): Promise<Heartbeat[]> => db.select().from(heartbeats);
