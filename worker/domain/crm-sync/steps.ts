import {
  listMissingLinks,
  listOutdated,
  listUnseen,
  noRecords,
  type SyncedRecords,
} from '#worker/data/crm-sync/records';
import type { SyncCursor } from '#worker/data/schema/schema';
import type { ChangeCursor, CrmContact, CrmInvoiceEntry, CrmKind } from '#worker/vendors/hubspot/port';
import { commitStep, OVERLAP_MS, type SyncRun, sendRequest } from './run-state.ts';

/** Records that the CRM reads in one batch. */
export const BATCH_SIZE = 100;

export const splitIntoBatches = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );

/**
 * Reads the current records, with everything their rows need. An id missing from the response was deleted, although a
 * search may still list it.
 */
export async function readRecords(run: SyncRun, kind: CrmKind, ids: string[]): Promise<SyncedRecords> {
  const { crm, now } = run.deps;
  const synced = noRecords(now());
  const foundIds = new Set<string>();
  for (const batch of splitIntoBatches(ids)) {
    if (kind === 'invoices') {
      const { records } = await sendRequest(run, (token, zone) => crm.readRecords(token, 'invoices', batch, zone));
      synced.invoices.push(...(await addLinks(run, records)));
      for (const { id } of records) foundIds.add(id);
    } else if (kind === 'contacts') {
      const records = await readContacts(run, batch);
      synced.contacts.push(...records);
      for (const { id } of records) foundIds.add(id);
    } else {
      const { records } = await sendRequest(run, (token, zone) => crm.readRecords(token, 'companies', batch, zone));
      synced.companies.push(...records);
      for (const { id } of records) foundIds.add(id);
    }
  }
  synced.gone = { kind, ids: ids.filter((id) => !foundIds.has(id)) };
  return addNamedRecords(run, synced);
}

/** Adds the ids of contacts and companies by their links, because a batch of invoices does not include them. */
async function addLinks(run: SyncRun, invoices: CrmInvoiceEntry[]): Promise<CrmInvoiceEntry[]> {
  if (invoices.length === 0) return [];
  const { crm } = run.deps;
  const ids = invoices.map(({ id }) => id);
  const contacts = await sendRequest(run, (token) => crm.readLinks(token, 'invoices', ids, 'contacts'));
  const companies = await sendRequest(run, (token) => crm.readLinks(token, 'invoices', ids, 'companies'));
  return invoices.map((invoice) => ({
    ...invoice,
    contactId: contacts.links.get(invoice.id) ?? '',
    otherContactIds: contacts.others.get(invoice.id) ?? [],
    companyId: companies.links.get(invoice.id) ?? '',
  }));
}

/** Reads the current contacts. A contact without a company name gets the id of the linked company. */
async function readContacts(run: SyncRun, ids: string[]): Promise<CrmContact[]> {
  const { crm } = run.deps;
  const { records } = await sendRequest(run, (token, zone) => crm.readRecords(token, 'contacts', ids, zone));
  const unnamedContactIds = records.filter(({ company }) => company === '').map(({ id }) => id);
  if (unnamedContactIds.length === 0) return records;
  const { links } = await sendRequest(run, (token) => crm.readLinks(token, 'contacts', unnamedContactIds, 'companies'));
  return records.map((contact) => ({ ...contact, companyId: links.get(contact.id) ?? '' }));
}

/** An invoice with several contacts gets the first one with an email address, as for a payment or an email. */
async function chooseReachableContacts(run: SyncRun, invoices: CrmInvoiceEntry[]): Promise<CrmInvoiceEntry[]> {
  const { crm } = run.deps;
  const contactIds = ({ contactId, otherContactIds }: CrmInvoiceEntry) => [contactId, ...otherContactIds];
  const sharedInvoices = invoices.filter(({ otherContactIds }) => otherContactIds.length > 0);
  const reachable = new Set<string>();
  for (const batch of splitIntoBatches([...new Set(sharedInvoices.flatMap(contactIds))])) {
    const { records } = await sendRequest(run, (token, zone) => crm.readRecords(token, 'contacts', batch, zone));
    for (const { id, email } of records) if (email !== '') reachable.add(id);
  }
  return invoices.map((invoice) => ({
    ...invoice,
    contactId: contactIds(invoice).find((id) => reachable.has(id)) ?? invoice.contactId,
  }));
}

/** Rows hold the names of contacts and companies, so the ones not stored yet are read too. */
export async function addNamedRecords(run: SyncRun, synced: SyncedRecords): Promise<SyncedRecords> {
  const { crm, db } = run.deps;
  synced.invoices = await chooseReachableContacts(run, synced.invoices);
  const contactIds = synced.invoices.map(({ contactId }) => contactId);
  for (const batch of splitIntoBatches(await listMissingLinks(db, run.accountId, 'contacts', contactIds))) {
    synced.contacts.push(...(await readContacts(run, batch)));
  }
  const companyIds = [...synced.invoices, ...synced.contacts].map(({ companyId }) => companyId);
  for (const batch of splitIntoBatches(await listMissingLinks(db, run.accountId, 'companies', companyIds))) {
    synced.companies.push(
      ...(await sendRequest(run, (token, zone) => crm.readRecords(token, 'companies', batch, zone))).records,
    );
  }
  return synced;
}

/**
 * Syncs the next page of changes. The search only provides the ids; the records are read from the CRM itself, since its
 * search index lags.
 */
export async function syncChanges(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, db } = run.deps;
  const cursor = run.cursors[kind];
  const from = run.changes[kind] ?? { modifiedAt: cursor.changedSince, tieId: cursor.changedTie };
  const { changed, next } = await sendRequest(run, (token) => crm.listChanged(token, kind, from));
  const outdatedIds = changed.length === 0 ? [] : await listOutdated(db, run.accountId, kind, changed);
  const synced = outdatedIds.length === 0 ? undefined : await readRecords(run, kind, outdatedIds);
  if (next === null) run.unreadKinds.delete(kind);
  else run.changes[kind] = next;
  await commitStep(run, { ...(synced ? { synced } : {}), cursor: { ...cursor, ...nextCursor(next, run.beganAt) } });
}

/** The cursor of the next run. It ends before the overlap, since earlier changes may still appear. */
function nextCursor(next: ChangeCursor | null, beganAt: number): Pick<SyncCursor, 'changedSince' | 'changedTie'> {
  const latest = beganAt - OVERLAP_MS;
  if (next === null || next.modifiedAt > latest) return { changedSince: latest, changedTie: null };
  return { changedSince: next.modifiedAt, changedTie: next.tieId };
}

/** Syncs the next page of deletions. Rows are marked, not removed, because links and payments refer to them. */
export async function syncDeletions(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const cursor = run.cursors[kind];
  const synced = noRecords(now());
  const { ids, next } = await sendRequest(run, (token) => crm.listArchived(token, kind, cursor.archivedAfter));
  synced.gone = { kind, ids };
  await commitStep(run, {
    synced,
    cursor: { ...cursor, archivedAfter: next, archivedAt: next === null ? now() : cursor.archivedAt },
  });
}

/** Reads the newest invoices and contacts first, because staff may be looking at an empty list. */
export async function scanFirstPage(run: SyncRun): Promise<void> {
  const { crm, now } = run.deps;
  for (const kind of ['invoices', 'contacts'] as const) {
    const { ids } = await sendRequest(run, (token) => crm.listNewest(token, kind));
    const synced = await readRecords(run, kind, ids);
    await commitStep(run, { synced, ...(kind === 'contacts' ? { firstPageAt: now() } : {}) });
  }
}

/** Begins a full scan of a kind. Requests the total first, so that progress can be shown. */
export async function beginFullScan(run: SyncRun, kind: CrmKind): Promise<void> {
  const { crm, now } = run.deps;
  const cursor = run.cursors[kind];
  const beganAt = now();
  const { total } = await sendRequest(run, (token) => crm.countRecords(token, kind));
  const isFirst = cursor.pass === 0;
  await commitStep(run, {
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

/** Reads the next page of a full scan. */
export async function scanPage(run: SyncRun, kind: CrmKind): Promise<void> {
  const cursor = run.cursors[kind];
  const { synced, count, next } = await readPage(run, kind, cursor.pageAfter);
  await commitStep(run, {
    synced,
    cursor: { ...cursor, pageAfter: next, copied: cursor.copied + count, stage: next === null ? 'unmet' : 'pages' },
  });
}

async function readPage(run: SyncRun, kind: CrmKind, pageAfter: string | null) {
  const { crm, now } = run.deps;
  const synced = noRecords(now());
  if (kind === 'invoices') {
    const { records, next } = await sendRequest(run, (token, zone) =>
      crm.listRecords(token, 'invoices', pageAfter, zone),
    );
    return { synced: await addNamedRecords(run, { ...synced, invoices: records }), count: records.length, next };
  }
  if (kind === 'contacts') {
    const { records, next } = await sendRequest(run, (token, zone) =>
      crm.listRecords(token, 'contacts', pageAfter, zone),
    );
    return { synced: await addNamedRecords(run, { ...synced, contacts: records }), count: records.length, next };
  }
  const { records, next } = await sendRequest(run, (token, zone) =>
    crm.listRecords(token, 'companies', pageAfter, zone),
  );
  return { synced: { ...synced, companies: records }, count: records.length, next };
}

/** Reads records by id that no page of the scan contained, since only that shows if they were deleted. */
export async function checkUnseen(run: SyncRun, kind: CrmKind): Promise<void> {
  const cursor = run.cursors[kind];
  const ids = await listUnseen(run.deps.db, run.accountId, kind, cursor, BATCH_SIZE);
  if (ids.length === 0) return commitStep(run, { cursor: { ...cursor, stage: 'ended', endedAt: run.deps.now() } });
  const synced = await readRecords(run, kind, ids);
  // They are marked as seen and not read again, even if the stored row is newer than the CRM's response.
  await commitStep(run, { synced: { ...synced, met: { kind, ids } } });
}
