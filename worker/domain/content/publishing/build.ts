import type { PublishState } from '#shared/contracts/content/content';
import type { BuildReportBody } from '#shared/contracts/content/content-request';
import {
  claimBuild,
  findBuild,
  findRevisionBuildTime,
  findSiteState,
  reportBuild,
} from '#worker/data/content/publishing/builds';
import type { Deps } from '#worker/deps';
import { iso } from '#worker/domain/content/articles/present';

const REASONS = {
  refused: 'The build service refused to start a build.',
  silent: 'The build service could not be reached.',
} as const;

/** A build without a report for this long (ms) no longer blocks others: its last report may have been lost. */
const BUSY_MS = 5 * 60_000;

/**
 * Every trigger of a build. A first change is built at once; changes within BUILD_WAIT_MS after it join the next build.
 */
const TRIGGERS = {
  /** An article is published or restored, or changed or deleted while public. */
  'public-article-changed': 'if-due',
  /** A picture is deleted or its description is changed; a build is due only if a public article uses it. */
  'picture-changed': 'if-due',
  /** The button under Publish is clicked: builds even if no build is due. */
  'publish-pressed': 'at-once',
  /** The schedule runs each minute, for changes during or between builds. */
  schedule: 'if-due',
} as const;

/** Requests a build of the public site if it is due, which claimBuild decides in one statement. */
export async function requestBuild(deps: Deps, reason: keyof typeof TRIGGERS): Promise<void> {
  const urgency = TRIGGERS[reason];
  const { db, settings, builder, now } = deps;
  if (!builder.isConfigured) return;
  const build = await claimBuild(db, {
    id: deps.newId(),
    now: now(),
    waitMs: settings.BUILD_WAIT_MS,
    quietMs: settings.BUILD_QUIET_MS,
    busyMs: BUSY_MS,
    isForced: urgency === 'at-once',
  });
  if (!build) return;
  const result = await builder.request({ build: build.id, revision: build.revision });
  deps.log.info('build-requested', { buildId: build.id, revision: build.revision, result });
  if (result === 'asked') return;
  deps.log.alert('build-failed', { buildId: build.id, result });
  const failure = { state: 'failed', progress: 0, step: '', reason: REASONS[result], now: now() } as const;
  await reportBuild(db, build.id, failure);
}

/** A build without a report for this long (ms) counts as failed. */
const SILENCE_MS = 15 * 60_000;

/**
 * The state of the public site compared with the published articles. `siteRevision`: the revision that the site itself
 * reports. `requestedRevision`: the revision whose build time is requested.
 */
export async function viewPublishState(
  { db, now, settings, builder }: Deps,
  siteRevision: number | null,
  requestedRevision?: number,
): Promise<PublishState> {
  const [{ state, build }, builtAt] = await Promise.all([
    findSiteState(db),
    requestedRevision === undefined ? null : findRevisionBuildTime(db, requestedRevision),
  ]);
  const revision = state?.revision ?? 0;
  const liveRevision = siteRevision ?? (build?.state === 'built' ? build.revision : 0);
  const reachedAt = builtAt === null ? null : iso(builtAt);
  const base = { revision, liveRevision, progress: null, step: '', reason: '', startsAt: null, reachedAt };
  const changedAt = state?.changedAt ?? 0;
  if (liveRevision >= revision)
    return { ...base, state: 'live', since: iso(Math.max(changedAt, build?.reportedAt ?? 0)) };
  const isNewer = build && build.revision > liveRevision;
  if (isNewer && build.state === 'failed') {
    return { ...base, state: 'failed', reason: build.reason, since: iso(build.reportedAt) };
  }
  if (isNewer && build.reportedAt < now() - SILENCE_MS) {
    const reason = 'The build has not been heard of for a quarter of an hour.';
    return { ...base, state: 'failed', reason, since: iso(build.reportedAt) };
  }
  if (isNewer) {
    const isDone = build.state === 'built';
    const step = isDone ? 'Going live' : build.step || 'Starting';
    return { ...base, state: 'building', progress: isDone ? 100 : build.progress, step, since: iso(build.requestedAt) };
  }
  if (!builder.isConfigured) {
    const reason = 'Nothing builds this site: no deploy hook is set.';
    return { ...base, state: 'failed', reason, since: iso(changedAt) };
  }
  const startsAt = Math.max((state?.requestedAt ?? 0) + settings.BUILD_WAIT_MS, changedAt);
  return { ...base, state: 'waiting', since: iso(changedAt), startsAt: iso(startsAt) };
}

/**
 * Records a build's report. An ended build accepts no further report. A report without a build's id goes to the latest
 * build, which rejects `built` for an earlier revision.
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
