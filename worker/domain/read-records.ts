import { type Copied, listMissingNames, nothingCopied } from '../data/mirror.ts';
import type { CrmInvoiceEntry, CrmKind } from '../ports/crm.ts';
import { ask, type HubRun } from './hub-run.ts';

/** What the CRM reads in one batch. */
export const BATCH = 100;

export const inBatches = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) => all.slice(index * BATCH, (index + 1) * BATCH));

/**
 * Records as they are at this moment, with all that their rows need. An id that the CRM answers nothing for is gone: a
 * search may still name it.
 */
export async function readRecords(run: HubRun, kind: CrmKind, ids: string[]): Promise<Copied> {
  const { crm, now } = run.deps;
  const copied = nothingCopied(now());
  const met = new Set<string>();
  for (const batch of inBatches(ids)) {
    if (kind === 'invoices') {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'invoices', batch));
      copied.invoices.push(...(await withLinks(run, records)));
      for (const { id } of records) met.add(id);
    } else if (kind === 'contacts') {
      const { records } = await ask(run, (token) => crm.readRecords(token, 'contacts', batch));
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
async function withLinks(run: HubRun, invoices: CrmInvoiceEntry[]): Promise<CrmInvoiceEntry[]> {
  if (invoices.length === 0) return [];
  const { crm } = run.deps;
  const ids = invoices.map(({ id }) => id);
  const contacts = await ask(run, (token) => crm.readLinks(token, ids, 'contacts'));
  const companies = await ask(run, (token) => crm.readLinks(token, ids, 'companies'));
  return invoices.map((invoice) => ({
    ...invoice,
    contactId: contacts.links.get(invoice.id) ?? '',
    companyId: companies.links.get(invoice.id) ?? '',
  }));
}

/** An invoice's row carries names: contacts and companies that are not in the copy yet are read along with it. */
export async function withNames(run: HubRun, copied: Copied): Promise<Copied> {
  if (copied.invoices.length === 0) return copied;
  const { crm, db } = run.deps;
  const missing = await listMissingNames(db, run.hubId, copied.invoices);
  for (const batch of inBatches(missing.contacts)) {
    copied.contacts.push(...(await ask(run, (token) => crm.readRecords(token, 'contacts', batch))).records);
  }
  for (const batch of inBatches(missing.companies)) {
    copied.companies.push(...(await ask(run, (token) => crm.readRecords(token, 'companies', batch))).records);
  }
  return copied;
}
