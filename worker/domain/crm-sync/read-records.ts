import { listMissing, noRecords, type SyncedRecords } from '#worker/data/crm-sync/records';
import type { CrmContact, CrmInvoiceEntry, CrmKind } from '#worker/vendors/hubspot/port';
import { ask, type SyncRun } from './run-state.ts';

/** What the CRM reads in one batch. */
export const BATCH = 100;

export const inBatches = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) => all.slice(index * BATCH, (index + 1) * BATCH));

/**
 * Records as they are at this moment, with all that their rows need. An id that the CRM answers nothing for is gone: a
 * search may still name it.
 */
export async function readRecords(run: SyncRun, kind: CrmKind, ids: string[]): Promise<SyncedRecords> {
  const { crm, now } = run.deps;
  const copied = noRecords(now());
  const met = new Set<string>();
  for (const batch of inBatches(ids)) {
    if (kind === 'invoices') {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'invoices', batch));
      copied.invoices.push(...(await withLinks(run, records)));
      for (const { id } of records) met.add(id);
    } else if (kind === 'contacts') {
      const records = await readContacts(run, batch);
      copied.contacts.push(...records);
      for (const { id } of records) met.add(id);
    } else {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'companies', batch));
      copied.companies.push(...records);
      for (const { id } of records) met.add(id);
    }
  }
  copied.gone = { kind, ids: ids.filter((id) => !met.has(id)) };
  return withNames(run, copied);
}

/** A batch of invoices does not say whom they belong to. */
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

/** Contacts as they are now; who names no company comes with the one that they are linked with. */
async function readContacts(run: SyncRun, ids: string[]): Promise<CrmContact[]> {
  const { crm } = run.deps;
  const { records } = await ask(run, (token) => crm.readRecords(token, 'contacts', ids));
  const nameless = records.filter(({ company }) => company === '').map(({ id }) => id);
  if (nameless.length === 0) return records;
  const { links } = await ask(run, (token) => crm.readLinks(token, 'contacts', nameless, 'companies'));
  return records.map((contact) => ({ ...contact, companyId: links.get(contact.id) ?? '' }));
}

/** Rows carry the names of contacts and companies: those that are not in the copy yet are read along with them. */
export async function withNames(run: SyncRun, copied: SyncedRecords): Promise<SyncedRecords> {
  const { crm, db } = run.deps;
  const people = copied.invoices.map(({ contactId }) => contactId);
  for (const batch of inBatches(await listMissing(db, run.accountId, 'contacts', people))) {
    copied.contacts.push(...(await readContacts(run, batch)));
  }
  const firms = [...copied.invoices, ...copied.contacts].map(({ companyId }) => companyId);
  for (const batch of inBatches(await listMissing(db, run.accountId, 'companies', firms))) {
    copied.companies.push(...(await ask(run, (token) => crm.readRecords(token, 'companies', batch))).records);
  }
  return copied;
}
