import { listMissing, noRecords, type SyncedRecords } from '#worker/data/crm-sync/records';
import type { CrmContact, CrmInvoiceEntry, CrmKind } from '#worker/vendors/hubspot/port';
import { ask, type SyncRun } from './run-state.ts';

/** Records that the CRM reads in one batch. */
export const BATCH = 100;

export const inBatches = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) => all.slice(index * BATCH, (index + 1) * BATCH));

/**
 * Read records as they are now, with all that their rows need. An id without an answer is gone: a search may still name
 * it.
 */
export async function readRecords(run: SyncRun, kind: CrmKind, ids: string[]): Promise<SyncedRecords> {
  const { crm, now } = run.deps;
  const synced = noRecords(now());
  const met = new Set<string>();
  for (const batch of inBatches(ids)) {
    if (kind === 'invoices') {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'invoices', batch));
      synced.invoices.push(...(await withLinks(run, records)));
      for (const { id } of records) met.add(id);
    } else if (kind === 'contacts') {
      const records = await readContacts(run, batch);
      synced.contacts.push(...records);
      for (const { id } of records) met.add(id);
    } else {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'companies', batch));
      synced.companies.push(...records);
      for (const { id } of records) met.add(id);
    }
  }
  synced.gone = { kind, ids: ids.filter((id) => !met.has(id)) };
  return withNames(run, synced);
}

/** Add contacts and companies by their links: a batch of invoices does not name them. */
async function withLinks(run: SyncRun, invoices: CrmInvoiceEntry[]): Promise<CrmInvoiceEntry[]> {
  if (invoices.length === 0) return [];
  const { crm } = run.deps;
  const ids = invoices.map(({ id }) => id);
  const contacts = await ask(run, (token) => crm.readLinks(token, 'invoices', ids, 'contacts'));
  const companies = await ask(run, (token) => crm.readLinks(token, 'invoices', ids, 'companies'));
  return invoices.map((invoice) => ({
    ...invoice,
    contactId: contacts.links.get(invoice.id) ?? '',
    companyId: companies.links.get(invoice.id) ?? '',
  }));
}

/** Contacts as they are now; one who names no company gets the id of the linked one. */
async function readContacts(run: SyncRun, ids: string[]): Promise<CrmContact[]> {
  const { crm } = run.deps;
  const { records } = await ask(run, (token) => crm.readRecords(token, 'contacts', ids));
  const nameless = records.filter(({ company }) => company === '').map(({ id }) => id);
  if (nameless.length === 0) return records;
  const { links } = await ask(run, (token) => crm.readLinks(token, 'contacts', nameless, 'companies'));
  return records.map((contact) => ({ ...contact, companyId: links.get(contact.id) ?? '' }));
}

/** Rows carry the names of contacts and companies: read those that are not stored yet along with them. */
export async function withNames(run: SyncRun, synced: SyncedRecords): Promise<SyncedRecords> {
  const { crm, db } = run.deps;
  const people = synced.invoices.map(({ contactId }) => contactId);
  for (const batch of inBatches(await listMissing(db, run.accountId, 'contacts', people))) {
    synced.contacts.push(...(await readContacts(run, batch)));
  }
  const firms = [...synced.invoices, ...synced.contacts].map(({ companyId }) => companyId);
  for (const batch of inBatches(await listMissing(db, run.accountId, 'companies', firms))) {
    synced.companies.push(...(await ask(run, (token) => crm.readRecords(token, 'companies', batch))).records);
  }
  return synced;
}
