import { noRecords } from '#worker/data/crm-sync/records';
import type { CrmKind } from '#worker/vendors/hubspot/port';
import { ask, type SyncRun, save } from './run-state.ts';

/** Sync the next page of deletions. Rows are marked, not removed: links and payments point to them. */
export async function syncDeletions(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const mark = run.marks[kind];
  const copied = noRecords(now());
  const { ids, next } = await ask(run, (token) => crm.listArchived(token, kind, mark.archivedAfter));
  copied.gone = { kind, ids };
  await save(run, {
    copied,
    mark: { ...mark, archivedAfter: next, archivedAt: next === null ? now() : mark.archivedAt },
  });
}
