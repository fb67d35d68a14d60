import { noRecords } from '#worker/data/crm-sync/records';
import type { CrmKind } from '#worker/vendors/hubspot/port';
import { ask, type SyncRun, save } from './run-state.ts';

/** Sync the next page of deletions. Rows are marked, not removed: links and payments point to them. */
export async function syncDeletions(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const cursor = run.cursors[kind];
  const synced = noRecords(now());
  const { ids, next } = await ask(run, (token) => crm.listArchived(token, kind, cursor.archivedAfter));
  synced.gone = { kind, ids };
  await save(run, {
    synced,
    cursor: { ...cursor, archivedAfter: next, archivedAt: next === null ? now() : cursor.archivedAt },
  });
}
