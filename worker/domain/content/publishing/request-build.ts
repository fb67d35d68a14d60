import { claimBuild, reportBuild } from '#worker/data/content/publishing/builds';
import type { Deps } from '#worker/deps';

const REASONS = {
  refused: 'The build service refused to start a build.',
  silent: 'The build service could not be reached.',
} as const;

/** A build without a report for this long (ms) blocks no other one: its last report may have been lost. */
const BUSY_MS = 5 * 60_000;

/** All that wakes a build. A first change is built at once; what comes within BUILD_WAIT_MS after it joins the next build. */
const WAKES = {
  /** An article is published or restored, or changed or deleted while it is public. */
  'public-article-changed': 'if-due',
  /** A picture gets another description or is deleted; a build is due only if a public article shows it. */
  'picture-changed': 'if-due',
  /** The button under Publish: due or not. */
  'publish-pressed': 'at-once',
  /** Each minute, for changes that fell into a build or between two. */
  schedule: 'if-due',
} as const;

/** Have the public site built, if that is due: claimBuild decides it in one statement. */
export async function requestBuild(deps: Deps, reason: keyof typeof WAKES): Promise<void> {
  const when = WAKES[reason];
  const { db, settings, builder, now } = deps;
  if (!builder.isThere) return;
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
  deps.log.alert('build-failed', { buildId: build.id, result });
  const failure = { state: 'failed', progress: 0, step: '', reason: REASONS[result], now: now() } as const;
  await reportBuild(db, build.id, failure);
}
