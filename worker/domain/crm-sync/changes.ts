import { listOutdated } from '#worker/data/crm-sync/records';
import type { SyncCursor } from '#worker/data/schema/schema';
import type { ChangeMark, CrmKind } from '#worker/vendors/hubspot/port';
import { readRecords } from './read-records.ts';
import { ask, OVERLAP_MS, type SyncRun, save } from './run-state.ts';

/**
 * The next page of what changed. The search only says who; the records themselves are read from the CRM, since its search
 * runs behind them.
 */
export async function syncChanges(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, db } = run.deps;
  const mark = run.marks[kind];
  const from = run.changes[kind] ?? { modifiedAt: mark.changedSince, tieId: mark.changedTie };
  const { changed, next } = await ask(run, (token) => crm.listChanged(token, kind, from));
  const outdated = changed.length === 0 ? [] : await listOutdated(db, run.accountId, kind, changed);
  const copied = outdated.length === 0 ? undefined : await readRecords(run, kind, outdated);
  if (next === null) run.unasked.delete(kind);
  else run.changes[kind] = next;
  await save(run, { ...(copied ? { copied } : {}), mark: { ...mark, ...markFrom(next, run.beganAt) } });
}

/** Where the next turn goes on: never later than the overlap, since a change from before may still come to light. */
function markFrom(next: ChangeMark | null, beganAt: number): Pick<SyncCursor, 'changedSince' | 'changedTie'> {
  const latest = beganAt - OVERLAP_MS;
  if (next === null || next.modifiedAt > latest) return { changedSince: latest, changedTie: null };
  return { changedSince: next.modifiedAt, changedTie: next.tieId };
}
