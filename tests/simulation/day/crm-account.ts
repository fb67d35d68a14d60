import { iso, type Properties } from '../crm/records.ts';

/** The records of one account in the CRM: made by their number, so that a hundred thousand of them cost little. */

export const KINDS = ['companies', 'contacts', 'invoices'] as const;
export type Kind = (typeof KINDS)[number];

/** Invoices of one contact, and contacts of one company. */
const PER_CONTACT = 5;
const PER_COMPANY = 4;
/** The first id of each kind; a record's id is that and its number. */
const FIRST_ID: Record<Kind, number> = { companies: 10_001, contacts: 200_001, invoices: 1_000_001 };
const MINUTE = 60_000;

export type CrmAccount = ReturnType<typeof createAccount>;

/** `since`: UTC ms at which its staff made the last of its records. */
export function createAccount(accountId: number, size: number, since: number) {
  const contacts = Math.ceil(size / PER_CONTACT);
  const counts: Record<Kind, number> = { invoices: size, contacts, companies: Math.ceil(contacts / PER_COMPANY) };
  /** Cents that staff gave an invoice since, and when (UTC ms), by its number. */
  const edits = new Map<number, { cents: number; at: number }>();
  /** Numbers in the order in which they were edited. */
  const log: number[] = [];

  const madeAt = (kind: Kind, n: number) => since - (counts[kind] - n) * MINUTE;
  const changedAt = (kind: Kind, n: number) => (kind === 'invoices' ? edits.get(n)?.at : undefined) ?? madeAt(kind, n);
  const idOf = (kind: Kind, n: number) => String(FIRST_ID[kind] + n);
  /** Null where the account has no such record. */
  function numberOf(kind: Kind, id: string): number | null {
    const n = Number(id) - FIRST_ID[kind];
    return Number.isInteger(n) && n >= 0 && n < counts[kind] ? n : null;
  }
  const contactOf = (invoice: number) => Math.floor(invoice / PER_CONTACT);
  const companyOf = (contact: number) => Math.floor(contact / PER_COMPANY);
  const firstCents = (n: number) => 1000 + ((n * 7919 + accountId * 31) % 50_000);
  const centsOf = (n: number) => edits.get(n)?.cents ?? firstCents(n);

  function properties(kind: Kind, n: number): Properties {
    const made = iso(madeAt(kind, n));
    const changed = iso(changedAt(kind, n));
    if (kind === 'companies') {
      const address = { address: `${n + 1} Main St`, city: 'Austin', state: 'TX', zip: '78701' };
      return { name: `Company ${n} of ${accountId}`, ...address, createdate: made, hs_lastmodifieddate: changed };
    }
    if (kind === 'contacts') {
      const person = { firstname: 'Ana', lastname: `Pál ${n}`, email: emailOf(n) };
      return { ...person, company: null, phone: '555', createdate: made, lastmodifieddate: changed };
    }
    const amount = (centsOf(n) / 100).toFixed(2);
    return {
      hs_number: `INV-${n + 1}`,
      hs_invoice_status: 'open',
      hs_currency: 'USD',
      hs_balance_due: amount,
      hs_amount_billed: amount,
      hs_due_date: made,
      hs_invoice_date: made,
      hs_createdate: made,
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
    /** The invoice of a payment's key at the gateway: the CRM's id and the collection. */
    numberOfKey: (key: string) => numberOf('invoices', /^(\d+)-1$/.exec(key)?.[1] ?? ''),
    contactOf,
    companyOf,
    centsOf,
    emailOf,
    changedAt,
    /** A record in the form of the dated API; `names`: the properties that were asked for. */
    record(kind: Kind, n: number, names: string[]) {
      const all = properties(kind, n);
      const id = idOf(kind, n);
      const asked = Object.fromEntries([...names, ...ALWAYS].map((name) => [name, all[name] ?? null]));
      return {
        id,
        properties: asked,
        createdAt: iso(madeAt(kind, n)),
        updatedAt: iso(changedAt(kind, n)),
        archived: false,
      };
    },
    /** Numbers of records that changed at `from` (UTC ms) or later, the oldest change first. */
    changedSince(kind: Kind, from: number): number[] {
      const late = kind === 'invoices' ? log.filter((n) => changedAt(kind, n) >= from) : [];
      if (from > since) return late;
      const edited = new Set(log);
      const early = Math.max(0, Math.ceil(counts[kind] - (since - from) / MINUTE));
      const old = Array.from({ length: counts[kind] - early }, (_, at) => early + at);
      return [...old.filter((n) => kind !== 'invoices' || !edited.has(n)), ...late];
    },
    edit(n: number, cents: number, at: number) {
      edits.set(n, { cents, at });
      log.push(n);
    },
  };
}

/** Always answered, asked for or not. */
const ALWAYS = ['createdate', 'hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'];
