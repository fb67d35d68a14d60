import { findSync } from '#worker/data/crm-sync/state';
import type { SyncRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { MIN_GAP_MS, syncForViewer } from './sync-accounts.ts';

/** State of the CRM sync, as shown above a list. */
export type SyncState = {
  /** Time of the synced data (ms); null if there is none yet. */
  asOf: number | null;
  /** True if the CRM is currently not responding. */
  isStale: boolean;
  /** Progress of an account's first sync; null afterwards. */
  progress: { copied: number; expected: number } | null;
  /** True if no record is stored yet, not even the newest ones. */
  isEmpty: boolean;
  /** True if a sync should run now. */
  isDue: boolean;
};

export function syncStateOf(row: SyncRow | undefined, now: number): SyncState {
  // An account that was never connected has nothing to sync.
  if (!row) return { asOf: null, isStale: false, progress: null, isEmpty: false, isDue: false };
  const { asOf, failingSince, completeAt, copied, expected, firstPageAt, requestedAt, leaseUntil, waitUntil } = row;
  return {
    asOf,
    isStale: failingSince !== null,
    progress: completeAt === null ? { copied, expected: Math.max(copied, expected) } : null,
    isEmpty: firstPageAt === null,
    isDue: now - requestedAt >= MIN_GAP_MS && leaseUntil <= now && waitUntil <= now,
  };
}

export const readSyncState = async ({ db, now }: Deps, accountId: number): Promise<SyncState> =>
  syncStateOf(await findSync(db, accountId), now());

/**
 * Syncs an account unless it was synced seconds ago. Runs in the background when a list of synced records is read;
 * concurrent reads cause only one sync. Never throws.
 */
export async function refreshIfStale(deps: Deps, accountId: number, state: SyncState): Promise<void> {
  if (state.isDue) await syncForViewer(deps, accountId);
}

const POLL_MS = 100;
const FIRST_PAGE_WAIT_MS = 4000;

/** Waits briefly for the newest records of an account that was never synced, which its first run reads first. */
export async function awaitFirstPage(deps: Deps, accountId: number): Promise<SyncState> {
  const giveUpAt = deps.now() + FIRST_PAGE_WAIT_MS;
  for (;;) {
    const state = await readSyncState(deps, accountId);
    if (!state.isEmpty || state.isStale || deps.now() >= giveUpAt) return state;
    await deps.pause(POLL_MS);
  }
}
