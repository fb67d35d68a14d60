import { describe, expect, it } from 'vitest';
import { type ListAccount, makeListAccount } from '#tests/support/unit/lists';
import type { CrmContact, CrmInvoiceEntry } from '#worker/vendors/hubspot/port';
import { listUnseen, noRecords, type SyncedRecords, splitIntoPieces, syncWrites } from './records.ts';

const RECORD_COUNT = 100;
const contactIdOf = (index: number) => String(5000 + index);
const invoiceIdOf = (index: number) => String(6000 + index);

const makeContact = (index: number): CrmContact => ({
  id: contactIdOf(index),
  firstName: 'Ann',
  lastName: `Lee-${index}`,
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
const makeInvoice = (index: number): CrmInvoiceEntry => ({
  id: invoiceIdOf(index),
  number: `INV-${index}`,
  status: 'open',
  currency: 'USD',
  balanceCents: index,
  billedCents: index,
  dueDate: null,
  invoiceDate: null,
  paidAt: null,
  createdAt: 1000,
  modifiedAt: 1000,
  contactId: contactIdOf(index),
  companyId: '',
  recipient: { address: '', city: '', state: '', zip: '' },
  otherContactIds: [],
});

type Page = { contacts?: CrmContact[]; invoices?: CrmInvoiceEntry[]; readAt: number; pass: number };

/** Saves one page of a full scan. Returns the number of rows written, including those of indexes and triggers. */
async function savePage({ db, accountId }: ListAccount, { readAt, pass, ...records }: Page): Promise<number> {
  const writes = syncWrites(
    db,
    accountId,
    { ...noRecords(readAt), ...records },
    { companies: pass, contacts: pass, invoices: pass },
  );
  const results = await db.$client.batch(writes);
  return results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
}

describe('the chunks of a sync step', () => {
  const numbers = Array.from({ length: RECORD_COUNT }, (_, index) => index);
  const page: SyncedRecords = {
    ...noRecords(7),
    contacts: numbers.map(makeContact),
    invoices: numbers.map(makeInvoice),
    gone: { kind: 'invoices', ids: numbers.map(String) },
  };
  const countOf = ({ companies, contacts, invoices, gone, met }: SyncedRecords) =>
    companies.length + contacts.length + invoices.length + (gone?.ids.length ?? 0) + (met?.ids.length ?? 0);

  it('hold at most fifty records or ids, in order, with contacts before invoices', () => {
    const pieces = splitIntoPieces(page);
    expect(pieces.map(countOf)).toEqual([50, 50, 50, 50, 50, 50]);
    expect(pieces.flatMap(({ contacts }) => contacts)).toEqual(page.contacts);
    expect(pieces.flatMap(({ invoices }) => invoices)).toEqual(page.invoices);
    expect(pieces.flatMap(({ gone }) => gone?.ids ?? [])).toEqual(page.gone?.ids);
    expect(pieces.findIndex(({ invoices }) => invoices.length > 0)).toBe(2);
    expect(pieces.every(({ readAt }) => readAt === 7)).toBe(true);
  });

  it('are a single chunk when everything fits', () => {
    const smallPage = {
      ...page,
      contacts: page.contacts.slice(0, 20),
      invoices: page.invoices.slice(0, 20),
      gone: null,
    };
    expect(splitIntoPieces(smallPage)).toEqual([smallPage]);
    expect(splitIntoPieces(noRecords(7))).toHaveLength(1);
  });
});

describe('a page read a second time by a full scan', () => {
  const numbers = Array.from({ length: RECORD_COUNT }, (_, index) => index);
  const contacts = numbers.map(makeContact);
  const invoices = numbers.map(makeInvoice);

  it('records only that an unchanged record was seen', async () => {
    const account = await makeListAccount();
    const first = await savePage(account, { contacts, invoices, readAt: 1, pass: 1 });
    expect(first).toBeGreaterThan(2 * RECORD_COUNT * 8);
    const secondRead = await savePage(account, { contacts, invoices, readAt: 2, pass: 2 });
    // The row, and its entry in the index by pass.
    expect(secondRead).toBeLessThanOrEqual(2 * RECORD_COUNT * 2);
    for (const kind of ['contacts', 'invoices'] as const)
      expect(await listUnseen(account.db, account.accountId, kind, { pass: 2, beganAt: 9 }, 10)).toEqual([]);
  });

  it('writes only the changed record, and copies its name to its invoice', async () => {
    const account = await makeListAccount();
    await savePage(account, { contacts, readAt: 1, pass: 1 });
    await savePage(account, { invoices, readAt: 1, pass: 1 });
    const changed = contacts.map((each, index) =>
      index === 7 ? { ...each, lastName: 'Smith', modifiedAt: 2000 } : each,
    );
    await savePage(account, { contacts: changed, readAt: 2, pass: 2 });
    const { results } = await account.db.$client
      .prepare(
        `SELECT i.invoice_id, c.read_at FROM invoices i JOIN contacts c USING (account_id, contact_id)
        WHERE account_id = ? AND i.contact_last_name = 'Smith' AND c.last_name = 'Smith'`,
      )
      .bind(account.accountId)
      .all();
    expect(results).toEqual([{ invoice_id: invoiceIdOf(7), read_at: 2 }]);
  });

  it('restores a deleted record, and does not replace a newer one', async () => {
    const account = await makeListAccount();
    await savePage(account, { contacts, readAt: 1, pass: 1 });
    await account.db.$client
      .prepare('UPDATE contacts SET deleted_at = 5 WHERE account_id = ? AND contact_id = ?')
      .bind(account.accountId, contactIdOf(1))
      .run();
    await account.db.$client
      .prepare('UPDATE contacts SET modified_at = 9999 WHERE account_id = ? AND contact_id = ?')
      .bind(account.accountId, contactIdOf(2))
      .run();
    await savePage(account, { contacts: contacts.map((each) => ({ ...each, phone: '1' })), readAt: 6, pass: 2 });
    const { results } = await account.db.$client
      .prepare(
        'SELECT phone, deleted_at, seen_pass FROM contacts WHERE account_id = ? AND contact_id IN (?, ?) ORDER BY id_number',
      )
      .bind(account.accountId, contactIdOf(1), contactIdOf(2))
      .all();
    expect(results).toEqual([
      { phone: '1', deleted_at: null, seen_pass: 2 },
      { phone: '', deleted_at: null, seen_pass: 1 },
    ]);
  });
});
