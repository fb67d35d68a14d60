import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { makeListAccount } from '#tests/support/unit/lists';
import { ACCOUNT } from '#tests/support/unit/rows';
import { payLinks } from '#worker/data/schema/schema';
import { findInvoiceCustomer } from './invoices.ts';

const contact = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.test', phone: '555', company: 'Ode LLC' };

/** An account with two invoices, each with a link and a customer. */
async function addTwoInvoices(invoiceFields: object = {}, contactFields: object = {}) {
  const account = await makeListAccount(ACCOUNT);
  await account.addInvoices([
    { invoiceId: '2', contactId: 'c2', contactFirstName: 'Eve' },
    {
      invoiceId: '1',
      contactId: 'c1',
      contactFirstName: 'Marta',
      contactLastName: 'Núñez',
      contactEmail: 'marta@example.test',
      companyName: 'Núñez Studio',
      ...invoiceFields,
    },
  ]);
  await account.addContacts([
    { contactId: 'c0', ...contact, firstName: 'Nobody' },
    { contactId: 'c1', ...contact, ...contactFields },
    { contactId: 'c2', ...contact, firstName: 'Eve' },
  ]);
  for (const invoiceId of ['2', '1'])
    await account.db
      .insert(payLinks)
      .values({ accountId: ACCOUNT, payId: `link-${invoiceId}`, invoiceId, issuedAt: 1, endsAt: NOW });
  const find = (id: string, claim = account.claim) => findInvoiceCustomer(account.db, claim, account.now, id);
  return { ...account, find };
}

describe('the customer of an invoice', () => {
  it.each(['1', 'link-1'])('is its contact, found by the id %s', async (id) => {
    const { find } = await addTwoInvoices();
    expect(await find(id)).toEqual({
      contact_id: 'c1',
      first_name: 'Ben',
      last_name: 'Ode',
      email: 'ben@example.test',
      phone: '555',
      company: 'Ode LLC',
    });
  });

  it('is found by the invoice’s own link', async () => {
    const { find } = await addTwoInvoices();
    expect(await find('link-2')).toMatchObject({ contact_id: 'c2', first_name: 'Eve' });
  });

  it('comes from the invoice when the contact is deleted', async () => {
    const { find } = await addTwoInvoices({}, { deletedAt: NOW });
    expect(await find('1')).toEqual({
      contact_id: 'c1',
      first_name: 'Marta',
      last_name: 'Núñez',
      email: 'marta@example.test',
      phone: '',
      company: 'Núñez Studio',
    });
  });

  it('has the invoice’s company when the contact has none', async () => {
    const { find } = await addTwoInvoices({}, { company: '' });
    expect(await find('1')).toMatchObject({ company: 'Núñez Studio' });
  });

  it('is missing when the invoice is deleted or unknown', async () => {
    const { find } = await addTwoInvoices({ deletedAt: NOW });
    expect([await find('1'), await find('3'), await find('link-3')]).toEqual([undefined, undefined, undefined]);
  });

  it('is hidden without a session', async () => {
    const { claim, find } = await addTwoInvoices();
    expect(await find('1', { ...claim, sessionId: 'another' })).toBeNull();
  });
});
