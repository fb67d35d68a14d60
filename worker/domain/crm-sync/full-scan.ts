import { listUnseen, noRecords } from '#worker/data/crm-sync/records';
import type { CrmKind } from '#worker/vendors/hubspot/port';
import { BATCH, readRecords, withNames } from './read-records.ts';
import { ask, OVERLAP_MS, type SyncRun, save } from './run-state.ts';

/** Read the newest invoices and contacts before all else: staff may be looking at an empty list. */
export async function scanFirstPage(run: SyncRun): Promise<void> {
  const { crm, now } = run.deps;
  for (const kind of ['invoices', 'contacts'] as const) {
    const { ids } = await ask(run, (token) => crm.listNewest(token, kind));
    const synced = await readRecords(run, kind, ids);
    await save(run, { synced, ...(kind === 'contacts' ? { firstPageAt: now() } : {}) });
  }
}

/** Begin a full scan of a kind. The CRM is asked for the total first, so that progress can be told. */
export async function beginFullScan(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const cursor = run.cursors[kind];
  const beganAt = now();
  const { total } = await ask(run, (token) => crm.countRecords(token, kind));
  const isFirst = cursor.pass === 0;
  await save(run, {
    cursor: {
      ...cursor,
      pass: cursor.pass + 1,
      stage: 'pages',
      beganAt,
      pageAfter: null,
      copied: 0,
      expected: total,
      changedSince: isFirst ? beganAt - OVERLAP_MS : cursor.changedSince,
    },
  });
}

/** Read the next page of a full scan. */
export async function scanPage(run: SyncRun, kind: CrmKind): Promise<void> {
  const cursor = run.cursors[kind];
  const { synced, count, next } = await readPage(run, kind, cursor.pageAfter);
  await save(run, {
    synced,
    cursor: { ...cursor, pageAfter: next, copied: cursor.copied + count, stage: next === null ? 'unmet' : 'pages' },
  });
}

async function readPage(run: SyncRun, kind: CrmKind, after: string | null) {
  const { crm, now } = run.deps;
  const synced = noRecords(now());
  if (kind === 'invoices') {
    const { records, next } = await ask(run, (token) => crm.listRecords(token, 'invoices', after));
    return { synced: await withNames(run, { ...synced, invoices: records }), count: records.length, next };
  }
  if (kind === 'contacts') {
    const { records, next } = await ask(run, (token) => crm.listRecords(token, 'contacts', after));
    return { synced: await withNames(run, { ...synced, contacts: records }), count: records.length, next };
  }
  const { records, next } = await ask(run, (token) => crm.listRecords(token, 'companies', after));
  return { synced: { ...synced, companies: records }, count: records.length, next };
}

/** Ask by id for records that no page of the scan had: only the CRM's own answer makes a record gone. */
export async function checkUnseen(run: SyncRun, kind: CrmKind): Promise<void> {
  const cursor = run.cursors[kind];
  const ids = await listUnseen(run.deps.db, run.accountId, kind, cursor, BATCH);
  if (ids.length === 0) return save(run, { cursor: { ...cursor, stage: 'ended', endedAt: run.deps.now() } });
  const synced = await readRecords(run, kind, ids);
  // Seen now: they are not looked at again, even if the stored row is newer than the CRM's answer.
  await save(run, { synced: { ...synced, met: { kind, ids } } });
}
