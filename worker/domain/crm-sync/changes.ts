import { listOutdated } from '#worker/data/crm-sync/records';
import type { SyncCursor } from '#worker/data/schema/schema';
import type { ChangeCursor, CrmKind } from '#worker/vendors/hubspot/port';
import { readRecords } from './read-records.ts';
import { ask, OVERLAP_MS, type SyncRun, save } from './run-state.ts';

/**
 * Sync the next page of changes. The search only names the records; they are read from the CRM itself, since its search
 * lags behind.
 */
export async function syncChanges(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, db } = run.deps;
  const cursor = run.cursors[kind];
  const from = run.changes[kind] ?? { modifiedAt: cursor.changedSince, tieId: cursor.changedTie };
  const { changed, next } = await ask(run, (token) => crm.listChanged(token, kind, from));
  const outdated = changed.length === 0 ? [] : await listOutdated(db, run.accountId, kind, changed);
  const synced = outdated.length === 0 ? undefined : await readRecords(run, kind, outdated);
  if (next === null) run.unasked.delete(kind);
  else run.changes[kind] = next;
  await save(run, { ...(synced ? { synced } : {}), cursor: { ...cursor, ...cursorFrom(next, run.beganAt) } });
}

/** Where the next run goes on: never later than the overlap, since an earlier change may still come to light. */
function cursorFrom(next: ChangeCursor | null, beganAt: number): Pick<SyncCursor, 'changedSince' | 'changedTie'> {
  const latest = beganAt - OVERLAP_MS;
  if (next === null || next.modifiedAt > latest) return { changedSince: latest, changedTie: null };
  return { changedSince: next.modifiedAt, changedTie: next.tieId };
}
