import { claimBuild, reportBuild } from '#worker/data/content/publishing/builds';
import type { Deps } from '#worker/deps';

const REASONS = {
  refused: 'The build service refused to start a build.',
  silent: 'The build service could not be reached.',
} as const;

/** A build without a report for this long (ms) blocks no other one: its last report may have been lost. */
const BUSY_MS = 5 * 60_000;

/**
 * Have the public site built, if that is due. What wakes a build:
 * - `soon`, routes/content/articles/articles.ts: an article that is published or restored, changed or deleted while public.
 *   routes/content/media/library.ts: a picture of a public article, when its description changes or it is deleted.
 *   It waits for a moment first, so that several changes make one build.
 * - `at-once`, routes/content/publishing/publish.ts: the button under Publish.
 * - `if-due`, domain/purge-expired-content.ts: the cron, for changes that fell into a build or between two.
 * Whether a build is due at all is decided by claimBuild, in its one statement.
 */
export async function requestBuild(deps: Deps, when: 'soon' | 'if-due' | 'at-once' = 'soon'): Promise<void> {
  const { db, settings, builder, now } = deps;
  if (!builder.isThere) return;
  if (when === 'soon') await deps.pause(settings.BUILD_QUIET_MS);
  const build = await claimBuild(db, {
    id: deps.newId(),
    now: now(),
    waitMs: settings.BUILD_WAIT_MS,
    quietMs: settings.BUILD_QUIET_MS,
    busyMs: BUSY_MS,
    isForced: when === 'at-once',
  });
  if (!build) return;
  const result = await builder.request({ build: build.id, revision: build.revision });
  deps.log.info('build-asked', { buildId: build.id, revision: build.revision, result });
  if (result === 'asked') return;
  deps.log.alert('build-not-started', { buildId: build.id, result });
  const reason = REASONS[result];
  await reportBuild(db, build.id, { state: 'failed', progress: 0, step: '', reason, now: now() });
}
