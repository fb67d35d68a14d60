import { describe, expect, it } from 'vitest';
import { type ListAccount, makeListAccount } from '#tests/support/unit/lists';
import type { CrmContact, CrmInvoiceEntry } from '#worker/vendors/hubspot/port';
import { inPieces, listUnseen, noRecords, type SyncedRecords, syncWrites } from './records.ts';

const SIZE = 100;
const id = (at: number) => String(5000 + at);
const invoiceId = (at: number) => String(6000 + at);

const contact = (at: number): CrmContact => ({
  id: id(at),
  firstName: 'Ann',
  lastName: `Lee-${at}`,
  email: 'ann@clinic.example',
  phone: '',
  company: '',
  companyId: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  modifiedAt: 1000,
});
const invoice = (at: number): CrmInvoiceEntry => ({
  id: invoiceId(at),
  number: `INV-${at}`,
  status: 'open',
  currency: 'USD',
  balanceCents: at,
  billedCents: at,
  dueDate: null,
  invoiceDate: null,
  paidAt: null,
  createdAt: 1000,
  modifiedAt: 1000,
  contactId: id(at),
  companyId: '',
  recipient: { address: '', city: '', state: '', zip: '' },
  otherContactIds: [],
});

type Page = { contacts?: CrmContact[]; invoices?: CrmInvoiceEntry[]; readAt: number; pass: number };

/** Save one page of a full scan; answers the rows written, those of indexes and triggers included. */
async function keep({ db, accountId }: ListAccount, { readAt, pass, ...records }: Page): Promise<number> {
  const writes = syncWrites(
    db,
    accountId,
    { ...noRecords(readAt), ...records },
    { companies: pass, contacts: pass, invoices: pass },
  );
  const answers = await db.$client.batch(writes);
  return answers.reduce((sum, { meta }) => sum + meta.rows_written, 0);
}

describe('the chunks of a sync step', () => {
  const numbers = Array.from({ length: SIZE }, (_, at) => at);
  const page: SyncedRecords = {
    ...noRecords(7),
    contacts: numbers.map(contact),
    invoices: numbers.map(invoice),
    gone: { kind: 'invoices', ids: numbers.map(String) },
  };
  const countOf = ({ companies, contacts, invoices, gone, met }: SyncedRecords) =>
    companies.length + contacts.length + invoices.length + (gone?.ids.length ?? 0) + (met?.ids.length ?? 0);

  it('hold at most fifty records or ids, in order, with contacts before invoices', () => {
    const pieces = inPieces(page);
    expect(pieces.map(countOf)).toEqual([50, 50, 50, 50, 50, 50]);
    expect(pieces.flatMap(({ contacts }) => contacts)).toEqual(page.contacts);
    expect(pieces.flatMap(({ invoices }) => invoices)).toEqual(page.invoices);
    expect(pieces.flatMap(({ gone }) => gone?.ids ?? [])).toEqual(page.gone?.ids);
    expect(pieces.findIndex(({ invoices }) => invoices.length > 0)).toBe(2);
    expect(pieces.every(({ readAt }) => readAt === 7)).toBe(true);
  });

  it('are a single one when everything fits', () => {
    const few = { ...page, contacts: page.contacts.slice(0, 20), invoices: page.invoices.slice(0, 20), gone: null };
    expect(inPieces(few)).toEqual([few]);
    expect(inPieces(noRecords(7))).toHaveLength(1);
  });
});

describe('a page read a second time by a full scan', () => {
  const numbers = Array.from({ length: SIZE }, (_, at) => at);
  const contacts = numbers.map(contact);
  const invoices = numbers.map(invoice);

  it('records only that an unchanged record was seen', async () => {
    const account = await makeListAccount();
    const first = await keep(account, { contacts, invoices, readAt: 1, pass: 1 });
    expect(first).toBeGreaterThan(2 * SIZE * 8);
    const again = await keep(account, { contacts, invoices, readAt: 2, pass: 2 });
    // The row, and its entry in the index by pass.
    expect(again).toBeLessThanOrEqual(2 * SIZE * 2);
    for (const kind of ['contacts', 'invoices'] as const)
      expect(await listUnseen(account.db, account.accountId, kind, { pass: 2, beganAt: 9 }, 10)).toEqual([]);
  });

  it('writes only the changed record, and copies its name to its invoice', async () => {
    const account = await makeListAccount();
    await keep(account, { contacts, readAt: 1, pass: 1 });
    await keep(account, { invoices, readAt: 1, pass: 1 });
    const changed = contacts.map((one, at) => (at === 7 ? { ...one, lastName: 'Smith', modifiedAt: 2000 } : one));
    await keep(account, { contacts: changed, readAt: 2, pass: 2 });
    const { results } = await account.db.$client
      .prepare(
        `SELECT i.invoice_id, c.read_at FROM invoices i JOIN contacts c USING (account_id, contact_id)
        WHERE account_id = ? AND i.contact_last_name = 'Smith' AND c.last_name = 'Smith'`,
      )
      .bind(account.accountId)
      .all();
    expect(results).toEqual([{ invoice_id: invoiceId(7), read_at: 2 }]);
  });

  it('restores a deleted record, and does not replace a newer one', async () => {
    const account = await makeListAccount();
    await keep(account, { contacts, readAt: 1, pass: 1 });
    await account.db.$client
      .prepare('UPDATE contacts SET deleted_at = 5 WHERE account_id = ? AND contact_id = ?')
      .bind(account.accountId, id(1))
      .run();
    await account.db.$client
      .prepare('UPDATE contacts SET modified_at = 9999 WHERE account_id = ? AND contact_id = ?')
      .bind(account.accountId, id(2))
      .run();
    await keep(account, { contacts: contacts.map((one) => ({ ...one, phone: '1' })), readAt: 6, pass: 2 });
    const { results } = await account.db.$client
      .prepare(
        'SELECT phone, deleted_at, seen_pass FROM contacts WHERE account_id = ? AND contact_id IN (?, ?) ORDER BY id_number',
      )
      .bind(account.accountId, id(1), id(2))
      .all();
    expect(results).toEqual([
      { phone: '1', deleted_at: null, seen_pass: 2 },
      { phone: '', deleted_at: null, seen_pass: 1 },
    ]);
  });
});
