import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { makeListAccount } from '#tests/support/unit/lists';
import { companies, contacts, invoices } from '#worker/data/schema/schema';
import { noRecords, syncWrites } from './records.ts';

const LONGEST_TEXT = 'é'.repeat(4000);
const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));

it('saves a page of a hundred records with texts of maximum length', async () => {
  const account = await makeListAccount();
  await account.addInvoices(ids.map((id) => ({ invoiceId: id, contactId: id, companyId: id })));
  const address = { address: LONGEST_TEXT, city: LONGEST_TEXT, state: LONGEST_TEXT, zip: LONGEST_TEXT };
  const page = {
    ...noRecords(5),
    companies: ids.map((id) => ({ id, name: LONGEST_TEXT, ...address, modifiedAt: 1 })),
    contacts: ids.map((id) => ({
      id,
      firstName: LONGEST_TEXT,
      lastName: LONGEST_TEXT,
      email: LONGEST_TEXT,
      phone: LONGEST_TEXT,
      company: LONGEST_TEXT,
      ...address,
      companyId: '',
      modifiedAt: 1,
    })),
  };
  await env.DB.batch(syncWrites(account.db, account.accountId, page, { companies: 1, contacts: 1, invoices: 1 }));
  expect(await account.db.$count(contacts, eq(contacts.city, LONGEST_TEXT))).toBe(100);
  expect(await account.db.$count(companies, eq(companies.zip, LONGEST_TEXT))).toBe(100);
  // All records are copied to their invoices, from the first to the last.
  const contactCopies = await account.db.$count(invoices, eq(invoices.contactEmail, LONGEST_TEXT));
  expect([contactCopies, await account.db.$count(invoices, eq(invoices.companyCity, LONGEST_TEXT))]).toEqual([
    100, 100,
  ]);
});
