import { and, desc, eq, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { MonitorFinding } from '#shared/contracts/operators/monitor';
import {
  type FindingRow,
  monitorFindings as findingTable,
  type MonitorSource,
  monitorSources,
  monitorRuns as runTable,
} from '#worker/data/schema/monitoring';
import type { Db } from '../db.ts';

/** Checks of the pay page, their evidence in R2, and their findings. */

const evidenceKey = (id: string, startedAt: number) =>
  `monitor/runs/${new Date(startedAt).toISOString().slice(0, 10)}/${id}.json`;

export type RunClaim = {
  id: string;
  /** UTC ms. */
  now: number;
  everyMs: number;
  /** An unfinished run counts as failed after this time. */
  failedAfterMs: number;
};

/** Start the inside check if it is due. False if it is not, or if another run has started it. */
export async function claimInsideRun({ $client }: Db, { id, now, everyMs, failedAfterMs }: RunClaim): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `INSERT INTO monitor_runs (id, source, started_at) SELECT ?1, 'inside', ?2 WHERE NOT EXISTS (
  SELECT 1 FROM monitor_runs WHERE source = 'inside' AND started_at > ?2 - ?3
  AND (finished_at IS NOT NULL OR started_at > ?2 - ?4)
) RETURNING id`,
    )
    .bind(id, now, everyMs, failedAfterMs)
    .all();
  return results.length > 0;
}

export async function putEvidence(media: R2Bucket, id: string, startedAt: number, evidence: unknown): Promise<string> {
  const key = evidenceKey(id, startedAt);
  await media.put(key, JSON.stringify(evidence), { httpMetadata: { contentType: 'application/json' } });
  return key;
}

export type EndedRun = {
  id: string;
  source: MonitorSource;
  startedAt: number;
  finishedAt: number;
  evidenceKey: string;
  findings: (MonitorFinding & { id: string })[];
};

/**
 * Save the findings of a check in one transaction, which counts repeated findings, and closes those that did not occur
 * again. Returns the new ones.
 */
export async function endRun(db: Db, run: EndedRun): Promise<FindingRow[]> {
  const { id, source, startedAt, finishedAt, evidenceKey: key, findings } = run;
  const upserts = findings.map((finding) =>
    db
      .insert(findingTable)
      .values({ ...finding, source, firstSeenAt: finishedAt, lastSeenAt: finishedAt, lastRunId: id })
      .onConflictDoUpdate({
        target: [findingTable.source, findingTable.kind, findingTable.subject, findingTable.seen],
        targetWhere: isNull(findingTable.closedAt),
        set: { lastSeenAt: finishedAt, lastRunId: id, timesSeen: sql`times_seen + 1` },
      })
      .returning(),
  );
  const [, ...results] = await db.batch([
    db
      .insert(runTable)
      .values({ id, source, startedAt, finishedAt, findings: findings.length, evidenceKey: key })
      .onConflictDoUpdate({ target: runTable.id, set: { finishedAt, findings: findings.length, evidenceKey: key } }),
    ...upserts,
    // Must come last, so that findings that occurred again already have this check's id.
    db
      .update(findingTable)
      .set({ closedAt: finishedAt, closedAs: 'gone' })
      .where(and(eq(findingTable.source, source), isNull(findingTable.closedAt), ne(findingTable.lastRunId, id))),
  ]);
  return (results.slice(0, -1) as FindingRow[][]).flat().filter(({ timesSeen }) => timesSeen === 1);
}

/** The last complete check of each kind, and the open findings, newest first. */
export async function readMonitor(db: Db) {
  const selectNewest = (source: MonitorSource) =>
    db
      .select({ at: runTable.finishedAt })
      .from(runTable)
      .where(and(eq(runTable.source, source), isNotNull(runTable.finishedAt)))
      .orderBy(desc(runTable.startedAt))
      .limit(1);
  const [[inside], [outside], findings] = await db.batch([
    selectNewest('inside'),
    selectNewest('outside'),
    db
      .select()
      .from(findingTable)
      .where(and(inArray(findingTable.source, [...monitorSources]), isNull(findingTable.closedAt))),
  ]);
  return {
    lastRuns: { inside: inside?.at ?? null, outside: outside?.at ?? null },
    findings: findings.sort((a, b) => b.firstSeenAt - a.firstSeenAt),
  };
}

/** Delete checks started before `cutoff` (UTC ms), with their evidence; at most `limit`. */
export async function deleteOldRuns(db: Db, media: R2Bucket, cutoff: number, limit: number): Promise<void> {
  const expired = await db
    .select({ id: runTable.id, key: runTable.evidenceKey })
    .from(runTable)
    .where(and(inArray(runTable.source, [...monitorSources]), lt(runTable.startedAt, cutoff)))
    .limit(limit);
  if (expired.length === 0) return;
  await media.delete(expired.flatMap(({ key }) => key || []));
  await db.delete(runTable).where(
    inArray(
      runTable.id,
      expired.map(({ id }) => id),
    ),
  );
}
