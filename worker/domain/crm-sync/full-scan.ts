import { listUnseen, noRecords } from '#worker/data/crm-sync/records';
import type { CrmKind } from '#worker/vendors/hubspot/port';
import { BATCH, readRecords, withNames } from './read-records.ts';
import { ask, OVERLAP_MS, type SyncRun, save } from './run-state.ts';

/** The newest invoices and contacts, before anything else: somebody may be looking at an empty list. */
export async function scanFirstPage(run: SyncRun): Promise<void> {
  const { crm, now } = run.deps;
  for (const kind of ['invoices', 'contacts'] as const) {
    const { ids } = await ask(run, (token) => crm.listNewest(token, kind));
    const copied = await readRecords(run, kind, ids);
    await save(run, { copied, ...(kind === 'contacts' ? { firstPageAt: now() } : {}) });
  }
}

/** Begin a pass over all records of a kind; how many there are is asked first, so that progress can be told. */
export async function beginFullScan(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const mark = run.marks[kind];
  const beganAt = now();
  const { total } = await ask(run, (token) => crm.countRecords(token, kind));
  const isFirst = mark.pass === 0;
  await save(run, {
    mark: {
      ...mark,
      pass: mark.pass + 1,
      stage: 'pages',
      beganAt,
      pageAfter: null,
      copied: 0,
      expected: total,
      changedSince: isFirst ? beganAt - OVERLAP_MS : mark.changedSince,
    },
  });
}

/** The next page of a pass. */
export async function scanPage(run: SyncRun, kind: CrmKind): Promise<void> {
  const mark = run.marks[kind];
  const { copied, count, next } = await readPage(run, kind, mark.pageAfter);
  await save(run, {
    copied,
    mark: { ...mark, pageAfter: next, copied: mark.copied + count, stage: next === null ? 'unmet' : 'pages' },
  });
}

async function readPage(run: SyncRun, kind: CrmKind, after: string | null) {
  const { crm, now } = run.deps;
  const copied = noRecords(now());
  if (kind === 'invoices') {
    const { records, next } = await ask(run, (token) => crm.listRecords(token, 'invoices', after));
    return { copied: await withNames(run, { ...copied, invoices: records }), count: records.length, next };
  }
  if (kind === 'contacts') {
    const { records, next } = await ask(run, (token) => crm.listRecords(token, 'contacts', after));
    return { copied: await withNames(run, { ...copied, contacts: records }), count: records.length, next };
  }
  const { records, next } = await ask(run, (token) => crm.listRecords(token, 'companies', after));
  return { copied: { ...copied, companies: records }, count: records.length, next };
}

/** What no page of the pass had is asked for by id: only the CRM's own answer makes a record gone. */
export async function checkUnseen(run: SyncRun, kind: CrmKind): Promise<void> {
  const mark = run.marks[kind];
  const ids = await listUnseen(run.deps.db, run.accountId, kind, mark, BATCH);
  if (ids.length === 0) return save(run, { mark: { ...mark, stage: 'ended', endedAt: run.deps.now() } });
  const copied = await readRecords(run, kind, ids);
  // Not to be looked at again, even if a newer copy stands here than the CRM has now.
  await save(run, { copied: { ...copied, met: { kind, ids } } });
}
