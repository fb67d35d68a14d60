import { claimBuild, reportBuild } from '#worker/data/content/publishing/builds';
import type { Deps } from '#worker/deps';

const REASONS = {
  refused: 'The build service refused to start a build.',
  silent: 'The build service could not be reached.',
} as const;

/** Without a word for so long a build is in nobody's way any more: its last word may have been lost. */
const BUSY_MS = 5 * 60_000;

/**
 * Have the public site built, if that is due. After a publication it waits for a moment, so that several make one build;
 * what falls into the time between two builds, or into a build, is left to the cron. `at-once` is somebody who asks for a build now.
 * What asks: an article that was published, changed, hidden or deleted, a picture's description or end, the button under
 * Publish, and the cron.
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
