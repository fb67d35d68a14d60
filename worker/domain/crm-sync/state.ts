import { findSync } from '#worker/data/crm-sync/state';
import type { SyncRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { GAP_MS, syncAccount } from './run.ts';

/** What a list says of the copy that it shows. */
export type SyncState = {
  /** The instant of the CRM's data. Null: there is none yet. */
  asOf: number | null;
  /** The CRM does not answer at the moment. */
  isStale: boolean;
  /** While an account's records are copied for the first time. */
  copying: { copied: number; expected: number } | null;
  /** Nothing is here yet, not even the newest records. */
  isEmpty: boolean;
  /** Worth asking the CRM what changed since. */
  isDue: boolean;
};

export function syncStateOf(row: SyncRow | undefined, now: number): SyncState {
  // An account that was never connected has nothing to ask.
  if (!row) return { asOf: null, isStale: false, copying: null, isEmpty: false, isDue: false };
  const { asOf, failingSince, completeAt, copied, expected, firstPageAt, askedAt, leaseUntil, waitUntil } = row;
  return {
    asOf,
    isStale: failingSince !== null,
    copying: completeAt === null ? { copied, expected: Math.max(copied, expected) } : null,
    isEmpty: firstPageAt === null,
    isDue: now - askedAt >= GAP_MS && leaseUntil <= now && waitUntil <= now,
  };
}

export const readSyncState = async ({ db, now }: Deps, accountId: number): Promise<SyncState> =>
  syncStateOf(await findSync(db, accountId), now());

/**
 * Ask the CRM what changed, if nobody has within the last seconds. For the background of a list that is shown from the copy;
 * however many lists are read at once, one of them asks. Never throws.
 */
export async function refreshIfStale(deps: Deps, accountId: number, state: SyncState): Promise<void> {
  if (state.isDue) await syncAccount(deps, accountId);
}

const LOOK_MS = 100;
const PATIENCE_MS = 4000;

/** Wait a little for the newest records of an account that was never copied: whoever copies it reads them first. */
export async function awaitFirstPage(deps: Deps, accountId: number): Promise<SyncState> {
  const giveUpAt = deps.now() + PATIENCE_MS;
  for (;;) {
    const state = await readSyncState(deps, accountId);
    if (!state.isEmpty || state.isStale || deps.now() >= giveUpAt) return state;
    await deps.pause(LOOK_MS);
  }
}
