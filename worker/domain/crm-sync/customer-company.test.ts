import { afterEach, describe, expect, it } from 'vitest';
import { type CopyWorld, makeCopyWorld } from '#tests/support/unit/sync-world';
import { clearFaults, newInvoice, writeCrm } from '#tests/support/wire';

afterEach(clearFaults);

const changeRecord = (world: CopyWorld, kind: string, id: string, properties: Record<string, string>) =>
  writeCrm('PATCH', `/crm/v3/objects/${kind}/${id}`, { properties }, world.account);
const linkCompany = (world: CopyWorld, contactId: string, companyId: string) =>
  writeCrm(
    'PUT',
    `/crm/v4/objects/contacts/${contactId}/associations/default/companies/${companyId}`,
    {},
    world.account,
  );
const newCompany = (world: CopyWorld, name: string) =>
  writeCrm<{ id: string }>(
    'POST',
    '/crm/v3/objects/companies',
    { properties: { name }, associations: [] },
    world.account,
  );

async function customerOf(world: CopyWorld, invoiceId: string) {
  const { contactId, companyId } = (await world.invoice(invoiceId)) ?? {};
  const contact = (await world.contacts()).find((candidate) => candidate.contactId === contactId);
  if (!contact || !companyId) throw new Error('the invoice came without its customer');
  return { contactId: contact.contactId, company: contact.company, companyId };
}

/** A synced account with an invoice of a customer who names `ownCompany` and is linked to `company`. */
async function makeSyncedInvoice(ownCompany: string, company: string) {
  const world = await makeCopyWorld();
  const id = await newInvoice(
    { contact: { firstname: 'Ada', ...(ownCompany ? { company: ownCompany } : {}) }, company: { name: company } },
    world.accountId,
  );
  expect(await world.sync()).toBe('finished');
  return { world, id, customer: () => customerOf(world, id) };
}

describe("a customer's company", () => {
  it('is the company that the customer names, or else the linked company', async () => {
    const { world, customer } = await makeSyncedInvoice('', 'Linked LLC');
    expect((await customer()).company).toBe('Linked LLC');
    const id = await newInvoice(
      { contact: { firstname: 'Bo', company: 'Own & Sons' }, company: { name: 'Other LLC' } },
      world.accountId,
    );
    await world.sync();
    expect((await customerOf(world, id)).company).toBe('Own & Sons');
    const seededContacts = (await world.contacts()).filter(({ company }) => company !== '');
    expect(seededContacts.length).toBeGreaterThan(20);
  });

  it('is read in one query per page, only for customers who name none', async () => {
    const { world } = await makeSyncedInvoice('', 'Linked LLC');
    await newInvoice({ contact: { firstname: 'Cy' }, company: { name: 'Cy LLC' } }, world.accountId);
    await newInvoice({ contact: { firstname: 'Di', company: 'Own' }, company: { name: 'Di LLC' } }, world.accountId);
    world.calls.splice(0);
    await world.sync();
    expect(world.calls.filter((call) => call === 'readLinks contacts')).toHaveLength(1);
    const ownCompanyId = await newInvoice(
      { contact: { firstname: 'Ed', company: 'Own' }, company: null },
      world.accountId,
    );
    world.calls.splice(0);
    await world.sync();
    expect(await world.invoice(ownCompanyId)).toBeDefined();
    expect(world.calls).not.toContain('readLinks contacts');
  });

  it('is renamed with its record unless the customer names another', async () => {
    const { world, customer } = await makeSyncedInvoice('', 'Before LLC');
    const { contactId, companyId } = await customer();
    await changeRecord(world, 'companies', companyId, { name: 'After LLC' });
    await world.sync();
    expect((await customer()).company).toBe('After LLC');
    await changeRecord(world, 'contacts', contactId, { company: 'Own & Sons' });
    await world.sync();
    await changeRecord(world, 'companies', companyId, { name: 'Later LLC' });
    await world.sync();
    expect((await customer()).company).toBe('Own & Sons');
    await changeRecord(world, 'contacts', contactId, { company: '' });
    await world.sync();
    expect((await customer()).company).toBe('Later LLC');
  });

  it('follows a changed link by the next full scan, or at once when the customer changes', async () => {
    const { world, customer } = await makeSyncedInvoice('', 'First LLC');
    const { contactId, companyId } = await customer();
    // The CRM returns links ordered by id, so the older company must be deleted for the other one to be used.
    const { id } = await newCompany(world, 'Second LLC');
    await linkCompany(world, contactId, id);
    await writeCrm('DELETE', `/crm/v3/objects/companies/${companyId}`, undefined, world.account);
    await world.makePassDue('contacts');
    await world.sync();
    expect((await customer()).company).toBe('Second LLC');
    await writeCrm('DELETE', `/crm/v3/objects/companies/${id}`, undefined, world.account);
    await changeRecord(world, 'contacts', contactId, { phone: '(317) 555-0199' });
    await world.sync();
    expect((await customer()).company).toBe('');
  });
});
