import { nothingCopied } from '../data/mirror.ts';
import type { CrmKind } from '../ports/crm.ts';
import { ask, type HubRun, save } from './hub-run.ts';

/** The next page of what was deleted. Rows are marked, not removed: links and payments point to them. */
export async function copyDeletions(run: HubRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const mark = run.marks[kind];
  const copied = nothingCopied(now());
  const { ids, next } = await ask(run, (token) => crm.listArchived(token, kind, mark.archivedAfter));
  copied.gone = { kind, ids };
  await save(run, {
    copied,
    mark: { ...mark, archivedAfter: next, archivedAt: next === null ? now() : mark.archivedAt },
  });
}
