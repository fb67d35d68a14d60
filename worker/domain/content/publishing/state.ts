import type { PublishState } from '#shared/contracts/content/content';
import type { BuildReportBody } from '#shared/contracts/content/content-request';
import { findBuild, findSiteState, reportBuild, revisionBuiltAt } from '#worker/data/content/publishing/builds';
import type { Deps } from '#worker/deps';
import { iso } from '#worker/domain/content/articles/present';

/** A build without a report for this long (ms) counts as failed. */
const SILENCE_MS = 15 * 60_000;

/**
 * How far the public site is behind what was published; `built` is the revision that the site itself names, `asked` the
 * one whose time is wanted.
 */
export async function viewPublishState(
  { db, now, settings, builder }: Deps,
  built: number | null,
  asked?: number,
): Promise<PublishState> {
  const [{ state, build }, at] = await Promise.all([
    findSiteState(db),
    asked === undefined ? null : revisionBuiltAt(db, asked),
  ]);
  const revision = state?.revision ?? 0;
  const liveRevision = built ?? (build?.state === 'built' ? build.revision : 0);
  const reachedAt = at === null ? null : iso(at);
  const base = { revision, liveRevision, progress: null, step: '', reason: '', startsAt: null, reachedAt };
  const changedAt = state?.changedAt ?? 0;
  if (liveRevision >= revision)
    return { ...base, state: 'live', since: iso(Math.max(changedAt, build?.reportedAt ?? 0)) };
  const isForThis = build && build.revision > liveRevision;
  if (isForThis && build.state === 'failed') {
    return { ...base, state: 'failed', reason: build.reason, since: iso(build.reportedAt) };
  }
  if (isForThis && build.reportedAt < now() - SILENCE_MS) {
    const reason = 'The build has not been heard of for a quarter of an hour.';
    return { ...base, state: 'failed', reason, since: iso(build.reportedAt) };
  }
  if (isForThis) {
    const isDone = build.state === 'built';
    const step = isDone ? 'Going live' : build.step || 'Starting';
    return { ...base, state: 'building', progress: isDone ? 100 : build.progress, step, since: iso(build.requestedAt) };
  }
  if (!builder.isThere) {
    const reason = 'Nothing builds this site: no deploy hook is set.';
    return { ...base, state: 'failed', reason, since: iso(changedAt) };
  }
  const startsAt = Math.max((state?.requestedAt ?? 0) + settings.BUILD_WAIT_MS, changedAt);
  return { ...base, state: 'waiting', since: iso(changedAt), startsAt: iso(startsAt) };
}

/**
 * Note a build's report. A build that has ended takes no further report, and no build takes the word that an earlier
 * one is through: a report without a build's id goes to the latest.
 */
export async function handleBuildReport(
  deps: Deps,
  id: string,
  report: BuildReportBody,
): Promise<'noted' | 'not-found' | 'ended'> {
  const build = await findBuild(deps.db, id);
  if (!build) return 'not-found';
  if (report.state === 'built' && report.revision < build.revision) return 'ended';
  const isNoted = await reportBuild(deps.db, build.id, {
    state: report.state,
    progress: report.state === 'building' ? Math.round(report.progress) : 100,
    step: report.state === 'building' ? report.step : '',
    reason: report.state === 'failed' ? report.reason : '',
    now: deps.now(),
  });
  if (report.state === 'failed') deps.log.alert('build-failed', { buildId: build.id });
  return isNoted ? 'noted' : 'ended';
}
