import { claimSync, findSyncCursors, gatherStatistics, listDueSyncs, releaseSync } from '#worker/data/crm-sync/state';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { CrmError, type CrmKind } from '#worker/vendors/hubspot/port';
import { hasTime, LEASE_MS, LeaseLostError, type SyncRun } from './run-state.ts';
import { beginFullScan, checkUnseen, scanFirstPage, scanPage, syncChanges, syncDeletions } from './steps.ts';

/** Minimum time between two syncs of an account (ms), however many callers request one. */
export const MIN_GAP_MS = 5000;
/** Limits of one run, in ms and CRM calls, to stay within the platform's limits on time, calls and queries. */
const MAX_RUN_MS = 20_000;
const MAX_RUN_CALLS = 250;

const DELETIONS_INTERVAL_MS = 5 * 60_000;
const FULL_SCAN_INTERVAL_MS = 24 * 3_600_000;
/** Wait this long (ms) after a missing scope or a lost grant, because neither recovers by itself. */
const PERMANENT_FAILURE_MS = 15 * 60_000;
/** A list that was opened this recently (ms) may still be on screen. */
const RECENT_VIEW_MS = 5 * 60_000;

/** Companies and contacts come first, because invoices take names from them. */
const KINDS: CrmKind[] = ['companies', 'contacts', 'invoices'];

/** `busy`: another run is in progress or just ended, or the CRM asked us to wait. */
export type RunOutcome = 'busy' | 'finished' | 'to-be-continued' | 'failed';

type RunLimits = Pick<SyncRun, 'endsAt' | 'calls'>;

/** Syncs an account while a person is viewing its CRM records. */
export const syncForViewer = (deps: Deps, accountId: number): Promise<RunOutcome> =>
  syncAccount(deps, accountId, { isViewed: true });

/**
 * Syncs an account's records as far as one run allows. Every step saves its rows together with its cursor, so a run may
 * end or fail at any point. Never throws.
 */
export async function syncAccount(
  deps: Deps,
  accountId: number,
  {
    isViewed = false,
    limits = { endsAt: deps.now() + MAX_RUN_MS, calls: { remaining: MAX_RUN_CALLS } },
  }: { isViewed?: boolean; limits?: RunLimits } = {},
): Promise<RunOutcome> {
  try {
    const run = await beginRun(deps, accountId, limits, isViewed);
    return run ? await continueRun(run) : 'busy';
  } catch (cause) {
    deps.log.info('sync-failed', { accountId, cause: causeOf(cause) });
    return 'failed';
  }
}

async function beginRun(deps: Deps, accountId: number, limits: RunLimits, isViewed: boolean): Promise<SyncRun | null> {
  const lease = { accountId, leaseId: deps.newId() };
  const beganAt = deps.now();
  const row = await claimSync(deps.db, lease, { now: beganAt, leaseMs: LEASE_MS, gapMs: MIN_GAP_MS, isViewed });
  if (!row) return null;
  return {
    ...lease,
    deps,
    beganAt,
    ...limits,
    row,
    wasComplete: row.completeAt !== null,
    cursors: await findSyncCursors(deps.db, accountId),
    unreadKinds: new Set(KINDS),
    changes: {},
    tokens: null,
    hasAnswer: false,
    notBefore: 0,
    truncatedTexts: 0,
  };
}

async function continueRun(run: SyncRun): Promise<RunOutcome> {
  try {
    for (let step = nextStep(run); step; step = nextStep(run)) {
      await step();
      if (!hasTime(run)) return await endRun(run, nextStep(run) ? 'to-be-continued' : 'finished');
    }
    return await endRun(run, 'finished');
  } catch (cause) {
    if (cause instanceof LeaseLostError) return 'busy';
    if (!(cause instanceof CrmError)) {
      // The lease is released on failure too, because the next run may succeed.
      await endRun(run, 'failed').catch(() => undefined);
      throw cause;
    }
    return await endWithError(run, cause);
  }
}

async function endWithError(run: SyncRun, cause: CrmError): Promise<RunOutcome> {
  const { deps, accountId } = run;
  deps.log.info('sync-halted', { accountId, cause: causeOf(cause) });
  // A revoked grant was alerted when it was detected.
  if (cause.reason === 'missing-scopes' && run.row.failingSince === null)
    deps.log.info('crm-scope-missing', { accountId });
  run.row.failingSince ??= deps.now();
  run.row.failure = cause.reason;
  const isPermanent = cause.reason === 'missing-scopes' || cause.reason === 'revoked';
  const waitMs = isPermanent ? PERMANENT_FAILURE_MS : (cause.retryAfterMs ?? 0);
  run.notBefore = Math.max(run.notBefore, deps.now() + waitMs);
  return endRun(run, 'failed');
}

async function endRun(run: SyncRun, outcome: Exclude<RunOutcome, 'busy'>): Promise<RunOutcome> {
  const { deps, accountId, row, notBefore, truncatedTexts } = run;
  if (truncatedTexts > 0) deps.log.info('crm-texts-truncated', { accountId, count: truncatedTexts });
  // A safeguard besides the named indexes, since SQLite plans better once it has row statistics.
  if (!run.wasComplete && row.completeAt !== null) {
    await gatherStatistics(deps.db).catch((cause: unknown) =>
      deps.log.info('statistics-failed', { accountId: run.accountId, cause: causeOf(cause) }),
    );
  }
  const waitUntil = Math.max(row.waitUntil, notBefore);
  const { SYNC_EVERY_MS, SYNC_IDLE_MS } = deps.settings;
  const pauseMs = deps.now() - row.lookedAt < RECENT_VIEW_MS ? SYNC_EVERY_MS : Math.max(SYNC_EVERY_MS, SYNC_IDLE_MS);
  const dueAt = outcome === 'to-be-continued' ? deps.now() : deps.now() + pauseMs;
  await releaseSync(deps.db, run, { failingSince: row.failingSince, failure: row.failure, waitUntil, dueAt });
  return outcome;
}

function nextStep(run: SyncRun): (() => Promise<void>) | null {
  const { row, cursors, deps, beganAt } = run;
  if (row.firstPageAt === null) return () => scanFirstPage(run);
  const findKind = (isDue: (kind: CrmKind) => boolean) => KINDS.find(isDue);

  if (row.completeAt !== null) {
    // The least recently read kind comes first, so that a slow CRM does not starve the others.
    const [unreadKind] = [...run.unreadKinds].sort((a, b) => cursors[a].changedSince - cursors[b].changedSince);
    if (unreadKind) return () => syncChanges(run, unreadKind);
    const deletionKind = findKind(
      (kind) => cursors[kind].archivedAfter !== null || beganAt - cursors[kind].archivedAt >= DELETIONS_INTERVAL_MS,
    );
    if (deletionKind) return () => syncDeletions(run, deletionKind);
  }

  const dueKind = findKind((kind) => {
    const { stage, endedAt } = cursors[kind];
    return stage === 'ended' && (endedAt === null || deps.now() - endedAt >= FULL_SCAN_INTERVAL_MS);
  });
  if (dueKind) return () => beginFullScan(run, dueKind);
  const scannedKind = findKind((kind) => cursors[kind].stage !== 'ended');
  if (!scannedKind) return null;
  return () => (cursors[scannedKind].stage === 'pages' ? scanPage(run, scannedKind) : checkUnseen(run, scannedKind));
}

/** For a clinic's alarm: syncs the accounts that are due, one CRM call at a time. */
export async function syncAccounts(deps: Deps): Promise<void> {
  for (const accountId of await listDueSyncs(deps.db, deps.now())) await syncAccount(deps, accountId);
}
