import { iso, type Properties } from '../crm/records.ts';

/** The records of one account in the CRM, computed from their number, so that a hundred thousand cost little. */

export const KINDS = ['companies', 'contacts', 'invoices'] as const;
export type Kind = (typeof KINDS)[number];

/** Invoices of one contact, and contacts of one company. */
const PER_CONTACT = 5;
const PER_COMPANY = 4;
/** The first id of each kind; a record's id is the sum of that and its number. */
const FIRST_ID: Record<Kind, number> = { companies: 10_001, contacts: 200_001, invoices: 1_000_001 };
const MINUTE = 60_000;

export type CrmAccount = ReturnType<typeof createAccount>;

/** `since`: UTC ms at which staff created the last record. */
export function createAccount(accountId: number, size: number, since: number) {
  const contacts = Math.ceil(size / PER_CONTACT);
  const counts: Record<Kind, number> = { invoices: size, contacts, companies: Math.ceil(contacts / PER_COMPANY) };
  /** Later edits of an invoice's balance with their time (UTC ms), by invoice number. */
  const edits = new Map<number, { cents: number; at: number }>();
  /** Numbers of edited invoices in the order of the edits. */
  const editLog: number[] = [];

  const madeAt = (kind: Kind, n: number) => since - (counts[kind] - n) * MINUTE;
  const changedAt = (kind: Kind, n: number) => (kind === 'invoices' ? edits.get(n)?.at : undefined) ?? madeAt(kind, n);
  const idOf = (kind: Kind, n: number) => String(FIRST_ID[kind] + n);
  /** The number of a record; null if the account has no such record. */
  function numberOf(kind: Kind, id: string): number | null {
    const n = Number(id) - FIRST_ID[kind];
    return Number.isInteger(n) && n >= 0 && n < counts[kind] ? n : null;
  }
  const contactOf = (invoice: number) => Math.floor(invoice / PER_CONTACT);
  const companyOf = (contact: number) => Math.floor(contact / PER_COMPANY);
  const firstCents = (n: number) => 1000 + ((n * 7919 + accountId * 31) % 50_000);
  const centsOf = (n: number) => edits.get(n)?.cents ?? firstCents(n);

  function properties(kind: Kind, n: number): Properties {
    const created = iso(madeAt(kind, n));
    const changed = iso(changedAt(kind, n));
    if (kind === 'companies') {
      const address = { address: `${n + 1} Main St`, city: 'Austin', state: 'TX', zip: '78701' };
      return { name: `Company ${n} of ${accountId}`, ...address, createdate: created, hs_lastmodifieddate: changed };
    }
    if (kind === 'contacts') {
      const person = { firstname: 'Ana', lastname: `Pál ${n}`, email: emailOf(n) };
      return { ...person, company: null, phone: '555', createdate: created, lastmodifieddate: changed };
    }
    const amount = (centsOf(n) / 100).toFixed(2);
    return {
      hs_number: `INV-${n + 1}`,
      hs_invoice_status: 'open',
      hs_currency: 'USD',
      hs_balance_due: amount,
      hs_amount_billed: amount,
      hs_due_date: created,
      hs_invoice_date: created,
      hs_createdate: created,
      hs_lastmodifieddate: changed,
      hs_object_id: idOf(kind, n),
    };
  }

  const emailOf = (contact: number) => `payer-${contact}@clinic-${accountId}.example`;

  return {
    accountId,
    size,
    counts,
    idOf,
    numberOf,
    /** The invoice number for a gateway key, which consists of the CRM's id and the collection. */
    numberOfKey: (key: string) => numberOf('invoices', /^(\d+)-1$/.exec(key)?.[1] ?? ''),
    contactOf,
    companyOf,
    centsOf,
    emailOf,
    changedAt,
    /** A record in the form of the dated API; `names`: the requested properties. */
    record(kind: Kind, n: number, names: string[]) {
      const all = properties(kind, n);
      const id = idOf(kind, n);
      const selected = Object.fromEntries([...names, ...ALWAYS].map((name) => [name, all[name] ?? null]));
      return {
        id,
        properties: selected,
        createdAt: iso(madeAt(kind, n)),
        updatedAt: iso(changedAt(kind, n)),
        archived: false,
      };
    },
    /** Numbers of records that changed at `from` (UTC ms) or later, oldest change first. */
    changedSince(kind: Kind, from: number): number[] {
      const editedNumbers = kind === 'invoices' ? editLog.filter((n) => changedAt(kind, n) >= from) : [];
      if (from > since) return editedNumbers;
      const edited = new Set(editLog);
      const firstNumber = Math.max(0, Math.ceil(counts[kind] - (since - from) / MINUTE));
      const createdNumbers = Array.from({ length: counts[kind] - firstNumber }, (_, index) => firstNumber + index);
      return [...createdNumbers.filter((n) => kind !== 'invoices' || !edited.has(n)), ...editedNumbers];
    },
    edit(n: number, cents: number, at: number) {
      edits.set(n, { cents, at });
      editLog.push(n);
    },
  };
}

/** Returned with every record, even if not requested. */
const ALWAYS = ['createdate', 'hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'];
