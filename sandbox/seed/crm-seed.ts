import { hubs } from '../credentials.ts';
import { nextNumber } from '../crm/invoice-totals.ts';
import { COMPANY, CONTACT } from '../crm/object-types.ts';
import { associate, insertRecord } from '../crm/records.ts';
import type { World } from '../world.ts';
import { companyNames, emailOf, personAt, places, type Trade, treatments } from './catalogue.ts';
import { type InvoiceDraft, insertInvoice, type LineItem } from './make-invoice.ts';

/** Contacts of hub 1, each of them one awkward case, in addition to the ordinary contacts. */
export const oddContacts = {
  noLastName: { firstname: 'Ludovico', email: 'ludovico@example.com' },
  longName: {
    firstname: 'Þórdís-Ragnheiður Maximiliana',
    lastname: 'Wolfeschlegelsteinhausenbergerdorff-O’Shaughnessy 渡辺',
    email: 'thordis.long@example.com',
  },
  archived: { firstname: 'Gone', lastname: 'Patient', email: 'gone.patient@example.com' },
  noEmail: { firstname: 'Otto', lastname: 'Mailless' },
} as const;

export type OddContact = keyof typeof oddContacts;

type AwkwardCase = {
  change: Partial<InvoiceDraft>;
  contact?: OddContact;
};

const manyLines = (count: number): LineItem[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Aligner tray ${index + 1} of ${count}`,
    price: '9.75',
    quantity: '1',
  }));

const DAY_MS = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Awkward cases by position in hub 1's list, among ordinary open invoices and not among the newest ten. */
export function awkwardInvoices(now: number): Record<number, AwkwardCase> {
  return {
    60: { change: { contactIds: [] } },
    62: { change: {} },
    64: { change: { lines: [], amount: '212.00' } },
    66: { change: { lines: manyLines(120), title: 'Aligner treatment, full set' } },
    68: { change: { lines: [{ name: 'Consultation', price: '85.00', quantity: null, amount: '85.00' }] } },
    70: {
      change: {
        lines: [
          {
            name: 'Whitening kit',
            price: '60.00',
            quantity: '3',
            amount: '150.00',
            description: 'Less 30.00 discount',
          },
        ],
      },
    },
    72: { change: { title: 'Zahnärztliche Prophylaxe – „große“ Behandlung' }, contact: 'longName' },
    74: { change: { currency: 'EUR' } },
    76: { change: { dueDate: dateOf(now - 75 * DAY_MS) } },
    78: { change: { extra: { hs_invoice_billable: 'false', hs_invoice_link: null } } },
    80: { change: {}, contact: 'noLastName' },
    82: { change: {}, contact: 'archived' },
    84: { change: { extra: { clinic_name: 'Maple Street Dental, North' } } },
    86: { change: { lines: [{ name: 'Implant, first stage', price: '940.00', quantity: '1' }], paid: '300.00' } },
    88: { change: { balance: '0.00' } },
    90: { change: {}, contact: 'noEmail' },
    92: { change: { companyId: null } },
    // In observed cases, HubSpot totals only the first line of an invoice created through the API.
    94: {
      change: {
        lines: [
          { name: 'Root canal', price: '680.00' },
          { name: 'X-ray', price: '74.50' },
        ],
        amount: '680.00',
      },
    },
    96: { change: { status: 'voided' } },
    100: { change: { lines: [{ name: 'Full mouth restoration', price: '12480.50' }] } },
    104: { change: { balance: null } },
  };
}

/** Position in hub 1's list of the invoice with two contacts. */
export const TWO_CONTACTS_INDEX = 62;

const FIRST_ID = 44_446_240_000;
/** Number of ids that one run of the seed may use, including hub 3's. */
const SEED_SPAN = 40_000;
const ID_OFFSETS = { invoices: 1, contacts: 1001, companies: 2001, lines: 3001, hub3: 20_000 } as const;

type HubPlan = {
  hubIndex: 0 | 1 | 2;
  trade: Trade;
  invoices: number;
  contacts: number;
  prefix: string;
  firstNumber: number;
};

const PLANS: HubPlan[] = [
  { hubIndex: 0, trade: 'dental', invoices: 137, contacts: 52, prefix: 'INV', firstNumber: 1001 },
  { hubIndex: 1, trade: 'physio', invoices: 46, contacts: 24, prefix: 'HP', firstNumber: 2001 },
  { hubIndex: 2, trade: 'vet', invoices: 31, contacts: 20, prefix: 'CV', firstNumber: 501 },
];

/** Fills all hubs. Record ids start above every id that was ever used. Hubs 1 and 2 deliberately share them. */
export function seedCrm(world: World) {
  const base = Math.max(FIRST_ID, ...hubs.map((hub) => Number(world.store.meta(`next-id:${hub.hubId}`) ?? 0)));
  const now = world.now();
  for (const plan of PLANS) {
    const { hubId } = hubs[plan.hubIndex];
    world.store.setMeta(`next-number:${hubId}`, `${plan.prefix}:${plan.firstNumber}`);
    seedHub(world, plan, hubId, base + (plan.hubIndex === 2 ? ID_OFFSETS.hub3 : 0), now);
    world.store.setMeta(`next-id:${hubId}`, String(base + SEED_SPAN));
  }
}

/** Older invoices are mostly paid, newer ones mostly open. */
function statusAt(index: number, count: number): InvoiceDraft['status'] {
  const isOld = index < count * 0.42;
  if (isOld) return index % 9 === 4 ? 'voided' : index % 11 === 7 ? 'draft' : 'paid';
  if (index >= count - 10) return 'open';
  return index % 17 === 3 ? 'draft' : index % 12 === 5 ? 'paid' : 'open';
}

function linesAt(trade: Trade, index: number): LineItem[] {
  const tradeTreatments = treatments[trade];
  return Array.from({ length: 1 + (index % 3) }, (_, position) => {
    const item = tradeTreatments[(index * 7 + position * 4) % tradeTreatments.length] ?? tradeTreatments[0];
    const quantity = position === 1 ? 2 : 1;
    return { name: item.name, hs_sku: item.sku, price: item.price, quantity: String(quantity) };
  });
}

function seedHub(world: World, plan: HubPlan, hubId: number, base: number, now: number) {
  const contacts = base + ID_OFFSETS.contacts;
  const companies = base + ID_OFFSETS.companies;
  const oddContactIds = seedPeople(world, plan, hubId, base, now);
  const awkwardCases = plan.hubIndex === 0 ? awkwardInvoices(now) : {};
  let lineId = base + ID_OFFSETS.lines;
  for (let index = 0; index < plan.invoices; index++) {
    const createdMs = now - (plan.invoices - 1 - index) * 17 * 3_600_000 - 3_600_000;
    const contact = (index * 3) % plan.contacts;
    const status = statusAt(index, plan.invoices);
    const awkwardCase = awkwardCases[index];
    const draft: InvoiceDraft = {
      number: null,
      status: awkwardCase ? 'open' : status,
      createdMs,
      dueDate: new Date(createdMs + 30 * DAY_MS).toISOString().slice(0, 10),
      contactIds: awkwardCase?.contact ? [oddContactIds[awkwardCase.contact]] : [contacts + contact],
      companyId: companies + (contact % companyNames.length),
      lines: linesAt(plan.trade, index),
      ...awkwardCase?.change,
    };
    if (plan.hubIndex === 0 && index === TWO_CONTACTS_INDEX) draft.contactIds.push(contacts + contact + 1);
    if (draft.status !== 'draft') draft.number = nextNumber(world, hubId);
    insertInvoice(world, hubId, base + ID_OFFSETS.invoices + index, lineId, draft);
    lineId += draft.lines.length;
  }
  if (plan.hubIndex === 0)
    world.store.run(
      'UPDATE records SET archived_ms = ? WHERE hub_id = ? AND type = ? AND id = ?',
      now,
      hubId,
      CONTACT,
      oddContactIds.archived,
    );
}

function seedPeople(world: World, plan: HubPlan, hubId: number, base: number, now: number): Record<OddContact, number> {
  const createdMs = now - 200 * DAY_MS;
  const contacts = base + ID_OFFSETS.contacts;
  const companies = base + ID_OFFSETS.companies;
  for (const [index, name] of companyNames.entries()) {
    const place = places[index % places.length] ?? places[0];
    insertRecord(
      world,
      hubId,
      COMPANY,
      companies + index,
      {
        name,
        domain: `${name.toLowerCase().replace(/[^a-z]+/g, '')}.example`,
        phone: `(317) 555-01${10 + index}`,
        country: 'United States',
        ...place,
      },
      createdMs,
    );
  }
  for (let index = 0; index < plan.contacts; index++) {
    const person = personAt(index + plan.hubIndex * 60);
    const place = places[(index + 2) % places.length] ?? places[0];
    const phone = `(317) 555-02${String(index % 100).padStart(2, '0')}`;
    insertRecord(
      world,
      hubId,
      CONTACT,
      contacts + index,
      {
        ...person,
        email: emailOf(person, index),
        phone,
        country: 'United States',
        ...place,
        // Most contacts have no company name. Their company is the record to which they are linked.
        ...(index % 13 === 5 ? { company: `${person.lastname} Consulting` } : {}),
      },
      createdMs + index * 60_000,
    );
    associate(world, hubId, CONTACT, contacts + index, COMPANY, companies + (index % companyNames.length));
  }
  const ids: Record<OddContact, number> = { noLastName: 0, longName: 0, archived: 0, noEmail: 0 };
  if (plan.hubIndex !== 0) return ids;
  let next = contacts + plan.contacts;
  for (const name of ['noLastName', 'longName', 'archived', 'noEmail'] as const) {
    insertRecord(world, hubId, CONTACT, next, { ...oddContacts[name] }, createdMs);
    ids[name] = next++;
  }
  return ids;
}
