import { desc, eq } from 'drizzle-orm';
import type { Db } from '#worker/data/db';
import { siteBuilds, siteState } from '#worker/data/schema/content';

export type BuildRow = typeof siteBuilds.$inferSelect;
export type SiteStateRow = typeof siteState.$inferSelect;

export type BuildClaim = {
  id: string;
  now: number;
  waitMs: number;
  quietMs: number;
  busyMs: number;
  isForced: boolean;
};

/**
 * Claim the next build. A build is due if something has changed since the last request, and that request was at least
 * `waitMs` ago. With `isForced`, it is due `quietMs` after the last request, even if nothing has changed. No build is
 * due while an earlier one waits or reports progress. Two concurrent claims start one build. Null if none is due.
 */
export async function claimBuild({ $client }: Db, claim: BuildClaim): Promise<BuildRow | null> {
  const { id, now, waitMs, quietMs, busyMs, isForced } = claim;
  const [, inserted] = await $client.batch<{ revision: number }>([
    $client
      .prepare(
        `UPDATE site_state SET requested_revision = revision, requested_at = ?1
WHERE ((?4 = 1 AND requested_at <= ?1 - ?3) OR (revision > requested_revision AND requested_at <= ?1 - ?2))
AND NOT EXISTS (SELECT 1 FROM site_builds WHERE state IN ('asked', 'building') AND reported_at > ?1 - ?5)`,
      )
      .bind(now, waitMs, quietMs, isForced ? 1 : 0, busyMs),
    $client
      .prepare(
        `INSERT INTO site_builds (id, revision, requested_at, reported_at)
SELECT ?1, revision, ?2, ?2 FROM site_state WHERE changes() = 1 RETURNING revision`,
      )
      .bind(id, now),
  ]);
  const [row] = inserted?.results ?? [];
  if (!row) return null;
  const { revision } = row;
  return { id, revision, state: 'asked', progress: 0, step: '', reason: '', requestedAt: now, reportedAt: now };
}

export async function findSiteState(db: Db): Promise<{ state: SiteStateRow | undefined; build: BuildRow | undefined }> {
  const [[state], [build]] = await db.batch([
    db.select().from(siteState),
    db.select().from(siteBuilds).orderBy(desc(siteBuilds.requestedAt)).limit(1),
  ]);
  return { state, build };
}

/** The newest builds first. */
export const listBuilds = (db: Db, limit: number): Promise<BuildRow[]> =>
  db.select().from(siteBuilds).orderBy(desc(siteBuilds.requestedAt)).limit(limit);

export const findBuild = (db: Db, id: string) =>
  id === 'latest'
    ? db.select().from(siteBuilds).orderBy(desc(siteBuilds.requestedAt)).limit(1).get()
    : db.select().from(siteBuilds).where(eq(siteBuilds.id, id)).get();

/**
 * Record a build's progress. A lower value, for example of a restarted build, is ignored. False if there is no such
 * build.
 */
export async function reportBuild(
  { $client }: Db,
  id: string,
  { state, progress, step, reason, now }: Pick<BuildRow, 'state' | 'progress' | 'step' | 'reason'> & { now: number },
): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `UPDATE site_builds SET state = ?2, progress = max(progress, ?3), step = iif(?3 < progress, step, ?4),
  reason = ?5, reported_at = ?6
WHERE id = ?1 AND state IN ('asked', 'building') RETURNING id`,
    )
    .bind(id, state, progress, step, reason, now)
    .all();
  return results.length > 0;
}

/** The time at which the first stored build with this revision finished. */
export async function findRevisionBuildTime({ $client }: Db, revision: number): Promise<number | null> {
  return $client
    .prepare("SELECT min(reported_at) AS at FROM site_builds WHERE state = 'built' AND revision >= ?1")
    .bind(revision)
    .first<number>('at');
}
