import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { hubs } from '../credentials.ts';
import { nextNumber } from '../crm/invoice-totals.ts';
import { COMPANY, CONTACT } from '../crm/object-types.ts';
import { associate, insertRecord, linksOf, type Properties, reserveIds } from '../crm/records.ts';
import type { World } from '../world.ts';
import { companyNames, emailOf, personAt, places, type Trade, treatments } from './catalogue.ts';
import { type InvoiceDraft, insertInvoice, type LineItem } from './make-invoice.ts';

const DAY_MS = 86_400_000;
const INVOICES_PER_TRANSACTION = 1000;

const tradeOf = (hubId: number): Trade =>
  (['dental', 'physio', 'vet'] as const)[hubs.findIndex((hub) => hub.hubId === hubId)] ?? 'dental';
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Adds many open, payable invoices, each with a contact, a company and one or two lines, without blocking requests.
 */
export async function addInvoices(world: World, hubId: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  const clinicTreatments = treatments[tradeOf(hubId)];
  for (let start = 0; start < count; start += INVOICES_PER_TRANSACTION) {
    const size = Math.min(INVOICES_PER_TRANSACTION, count - start);
    world.store.transaction(() => {
      const contactCount = Math.ceil(size / 4);
      const companyCount = Math.ceil(size / 10);
      const firstContactId = reserveIds(world, hubId, contactCount + companyCount + size * 3);
      const firstCompanyId = firstContactId + contactCount;
      const firstInvoiceId = firstCompanyId + companyCount;
      const now = world.now();
      addPeople(world, hubId, firstContactId, contactCount, firstCompanyId, companyCount, now);
      for (let index = 0; index < size; index++) {
        const lines: LineItem[] = [0, 1].slice(0, 1 + (index % 2)).map((position) => {
          const item = clinicTreatments[(index + position * 2) % clinicTreatments.length] ?? clinicTreatments[0];
          return { name: item.name, hs_sku: item.sku, price: item.price, quantity: '1' };
        });
        const createdMs = now - (size - index) * 1000;
        const draft: InvoiceDraft = {
          number: nextNumber(world, hubId),
          status: 'open',
          createdMs,
          // A caller that queries changes must see the invoices, regardless of their creation dates.
          modifiedMs: now,
          dueDate: dateOf(now + ((index % 60) - 15) * DAY_MS),
          contactIds: [firstContactId + (index % contactCount)],
          companyId: firstCompanyId + (index % companyCount),
          lines,
        };
        insertInvoice(world, hubId, firstInvoiceId + index, firstInvoiceId + size + index * 2, draft);
        ids.push(String(firstInvoiceId + index));
      }
    });
    await yieldToOthers();
  }
  return ids;
}

function addPeople(
  world: World,
  hubId: number,
  firstContactId: number,
  contactCount: number,
  firstCompanyId: number,
  companyCount: number,
  now: number,
) {
  for (let index = 0; index < companyCount; index++) {
    const place = places[index % places.length] ?? places[0];
    const name = `${companyNames[index % companyNames.length]} ${firstCompanyId + index}`;
    insertRecord(
      world,
      hubId,
      COMPANY,
      firstCompanyId + index,
      { name, phone: '(317) 555-0100', country: 'United States', ...place },
      now,
    );
  }
  for (let index = 0; index < contactCount; index++) {
    const person = personAt(firstContactId + index);
    insertRecord(
      world,
      hubId,
      CONTACT,
      firstContactId + index,
      { ...person, email: emailOf(person, firstContactId + index) },
      now,
    );
    associate(world, hubId, CONTACT, firstContactId + index, COMPANY, firstCompanyId + (index % companyCount));
  }
}

export type InvoiceFields = {
  number?: string | null | undefined;
  title?: string | undefined;
  amount?: string | undefined;
  paid?: string | undefined;
  currency?: string | undefined;
  status?: InvoiceDraft['status'] | undefined;
  due_date?: string | undefined;
  balance?: string | null | undefined;
  contact?: Properties | null | undefined;
  company?: Properties | null | undefined;
  line_items?: LineItem[] | undefined;
  /** Index of a seeded contact, used with its company instead of a new one. */
  customer?: number | undefined;
  properties?: Properties | undefined;
};

function seededCustomer(world: World, hubId: number, index: number) {
  const row = world.store.get<{ id: number }>(
    'SELECT id FROM records WHERE hub_id = ? AND type = ? ORDER BY id LIMIT 1 OFFSET ?',
    hubId,
    CONTACT,
    index,
  );
  if (!row) return null;
  return { contactId: row.id, companyId: linksOf(world, hubId, CONTACT, row.id, COMPANY, 0, 1)[0]?.to_id ?? null };
}

/** Adds one invoice for a test, with default values for the fields that the test omits. */
export function addInvoice(world: World, hubId: number, fields: InvoiceFields): string {
  return world.store.transaction(() => {
    const lines = fields.line_items ?? [{ name: 'Consultation', price: fields.amount ?? '100.00', quantity: '1' }];
    const id = reserveIds(world, hubId, 3 + lines.length);
    const person = personAt(id);
    const status = fields.status ?? 'open';
    const customer = fields.customer === undefined ? null : seededCustomer(world, hubId, fields.customer);
    if (fields.contact !== null && !customer)
      insertRecord(
        world,
        hubId,
        CONTACT,
        id + 1,
        fields.contact ?? { ...person, email: emailOf(person, id) },
        world.now(),
      );
    if (fields.company !== null && !customer)
      insertRecord(
        world,
        hubId,
        COMPANY,
        id + 2,
        fields.company ?? { name: `${companyNames[id % companyNames.length]} ${id}`, ...places[0] },
        world.now(),
      );
    if (fields.contact !== null && fields.company !== null && !customer)
      associate(world, hubId, CONTACT, id + 1, COMPANY, id + 2);
    insertInvoice(world, hubId, id, id + 3, {
      number: fields.number === undefined ? (status === 'draft' ? null : nextNumber(world, hubId)) : fields.number,
      title: fields.title,
      status,
      currency: fields.currency,
      amount: fields.amount,
      paid: fields.paid,
      balance: fields.balance,
      createdMs: world.now(),
      dueDate: fields.due_date ?? dateOf(world.now() + 30 * DAY_MS),
      contactIds: fields.contact === null ? [] : [customer?.contactId ?? id + 1],
      companyId: fields.company === null ? null : (customer?.companyId ?? id + 2),
      lines,
      extra: fields.properties,
    });
    return String(id);
  });
}
