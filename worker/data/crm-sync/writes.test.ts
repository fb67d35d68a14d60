import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { makeListAccount } from '#tests/support/unit/lists';
import { companies, contacts, invoices } from '#worker/data/schema/schema';
import { noRecords, syncWrites } from './records.ts';

const LONGEST = 'é'.repeat(4000);
const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));

it('saves a page of a hundred records with texts of maximum length', async () => {
  const account = await makeListAccount();
  await account.addInvoices(ids.map((id) => ({ invoiceId: id, contactId: id, companyId: id })));
  const address = { address: LONGEST, city: LONGEST, state: LONGEST, zip: LONGEST };
  const page = {
    ...noRecords(5),
    companies: ids.map((id) => ({ id, name: LONGEST, ...address, modifiedAt: 1 })),
    contacts: ids.map((id) => ({
      id,
      firstName: LONGEST,
      lastName: LONGEST,
      email: LONGEST,
      phone: LONGEST,
      company: LONGEST,
      ...address,
      companyId: '',
      modifiedAt: 1,
    })),
  };
  await env.DB.batch(syncWrites(account.db, account.accountId, page, { companies: 1, contacts: 1, invoices: 1 }));
  expect(await account.db.$count(contacts, eq(contacts.city, LONGEST))).toBe(100);
  expect(await account.db.$count(companies, eq(companies.zip, LONGEST))).toBe(100);
  // All records are copied to their invoices, from the first to the last.
  const named = await account.db.$count(invoices, eq(invoices.contactEmail, LONGEST));
  expect([named, await account.db.$count(invoices, eq(invoices.companyCity, LONGEST))]).toEqual([100, 100]);
});
