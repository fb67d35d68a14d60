import { expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { findInvoice, saveInvoice, withCrmData } from './invoices.ts';

const address = { address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' };
const crmInvoice: CrmInvoice = {
  id: '1',
  number: 'N',
  status: 'open',
  currency: 'USD',
  balanceCents: 5,
  billedCents: 6,
  dueDate: null,
  invoiceDate: null,
  paidAt: null,
  createdAt: 1,
  modifiedAt: NOW,
  contactId: 'c',
  companyId: '',
  contact: { firstName: 'A', lastName: 'B', email: 'a@example.test' },
  contactAddress: address,
  contactLanguage: '',
  company: { name: '', address: '', city: '', state: '', zip: '' },
};

async function addCrmInvoice() {
  const { addInvoice, db } = await bareBooks();
  await addInvoice('0');
  await saveInvoice(db, ACCOUNT, crmInvoice, NOW);
  const save = async (overrides: Partial<CrmInvoice>, readAt = NOW) => {
    await saveInvoice(db, ACCOUNT, { ...crmInvoice, ...overrides }, readAt);
    return findInvoice(db, ACCOUNT, '1');
  };
  return { db, save };
}

it.each<[string, Partial<CrmInvoice>, number, boolean]>([
  ['changed later', { modifiedAt: NOW + 1 }, NOW - 1, true],
  ['changed at the same time and read later', {}, NOW + 1, true],
  ['changed and read at the same time', {}, NOW, true],
  ['changed at the same time and read before', {}, NOW - 1, false],
  ['changed before', { modifiedAt: NOW - 1 }, NOW + 1, false],
])('stores the CRM’s invoice only if it is not older: %s', async (_title, overrides, readAt, isStored) => {
  const { save } = await addCrmInvoice();
  expect((await save({ ...overrides, number: 'M' }, readAt))?.number).toBe(isStored ? 'M' : 'N');
});

it.each(['address', 'city', 'state', 'zip'] as const)(
  'marks a contact without a %s as having no address',
  async (part) => {
    const { save } = await addCrmInvoice();
    expect((await save({}))?.contactMaskedAddress).not.toBe('');
    expect((await save({ contactAddress: { ...address, [part]: ' ' } }))?.contactMaskedAddress).toBe('');
  },
);

it('keeps the stored lines when none are read', async () => {
  const { save } = await addCrmInvoice();
  const saved = await save({ lines: [] });
  expect(saved?.billLines).toContain('"count":0');
  expect((await save({}))?.billLines).toBe(saved?.billLines);
});

it('reads only the account’s own row, and keeps our status when the CRM data changes', async () => {
  const { db, save } = await addCrmInvoice();
  const row = await save({});
  expect(row?.invoiceId).toBe('1');
  expect(await findInvoice(db, ACCOUNT + 1, '1')).toBeUndefined();
  if (row)
    expect(withCrmData({ ...row, localStatus: 'paid' }, { ...crmInvoice, number: 'M' }, 9)).toMatchObject({
      localStatus: 'paid',
      number: 'M',
      readAt: 9,
    });
});
