import { Client } from '@hubspot/api-client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { crmApp } from '#sandbox/credentials';
import { dental, startSandbox } from './start.ts';

/**
 * HubSpot's own client, unmodified, must accept every answer. It throws on any status or shape that it does not know.
 */
const world = await startSandbox();
let reader: Client;
let writer: Client;

beforeAll(async () => {
  reader = new Client({ basePath: world.url, accessToken: await world.accessToken(dental) });
  writer = new Client({ basePath: world.url, accessToken: await world.accessToken(dental, 'write') });
});

test('all 137 seeded invoices are listed in two pages, and getAll collects contacts across pages', async () => {
  const sandbox = await startSandbox(onTestFinished);
  const client = new Client({ basePath: sandbox.url, accessToken: await sandbox.accessToken(dental) });
  const { basicApi } = client.crm.commerce.invoices;
  const first = await basicApi.getPage(100, undefined, ['hs_number']);
  const second = await basicApi.getPage(100, first.paging?.next?.after, ['hs_number']);
  expect([first.results.length, second.results.length, second.paging]).toEqual([100, 37, undefined]);
  expect(new Set([...first.results, ...second.results].map((invoice) => invoice.id)).size).toBe(137);
  await sandbox.control('hubs/1/invoices', { count: 400 });
  const contacts = await client.crm.contacts.getAll(100, undefined, ['email']);
  expect(new Set(contacts.map((contact) => contact.id)).size).toBe(55 + 100);
});

test('a record has the requested properties, null where empty, and its associations', async () => {
  const [id] = await addInvoice({ number: 'CL-1', amount: '46.00' });
  const invoice = await reader.crm.commerce.invoices.basicApi.getById(
    id,
    ['hs_number', 'hs_balance_due', 'hs_title', 'no_such_property'],
    undefined,
    ['contacts', 'line_items'],
  );
  expect(invoice.properties).toMatchObject({ hs_number: 'CL-1', hs_balance_due: '46.00', hs_title: null });
  expect(invoice.properties).not.toHaveProperty('no_such_property');
  expect(invoice.createdAt).toBeInstanceOf(Date);
  expect(Object.keys(invoice.associations ?? {}).sort()).toEqual(['contacts', 'line items']);
});

test('search finds by number, and batch read returns existing records with 207 for missing ones', async () => {
  const [id] = await addInvoice({ number: 'CL-SEARCH-7', amount: '10.00' });
  const search = await reader.crm.commerce.invoices.searchApi.doSearch({
    filterGroups: [{ filters: [{ propertyName: 'hs_number', operator: 'EQ', value: 'cl-search-7' }] }],
    properties: ['hs_number'],
    sorts: ['hs_due_date'],
    limit: 10,
    after: '0',
  });
  expect(search.results.map((result) => result.id)).toEqual([id]);
  const batch = await reader.crm.commerce.invoices.batchApi.read({
    inputs: [{ id }, { id: '7' }],
    properties: ['hs_number'],
    propertiesWithHistory: [],
  });
  expect(batch.results.map((result) => result.id)).toEqual([id]);
  expect(batch).toMatchObject({ numErrors: 1 });
});

test('associations are read in batches in the v4 format', async () => {
  const [id] = await addInvoice({ amount: '10.00' });
  const links = await reader.crm.associations.v4.batchApi.getPage('invoices', 'contacts', { inputs: [{ id }] });
  expect(links.results[0]?._from.id).toBe(id);
  expect(links.results[0]?.to[0]?.associationTypes[0]?.typeId).toBe(177);
  const single = await reader.crm.associations.v4.basicApi.getPage('invoices', id, 'contacts');
  expect(single.results).toHaveLength(1);
});

test('a read of an unknown record throws the API error with its category', async () => {
  const failure = reader.crm.commerce.invoices.basicApi.getById('99999999999');
  await expect(failure).rejects.toMatchObject({
    code: 404,
    body: { category: 'OBJECT_NOT_FOUND', context: { id: ['99999999999'] } },
  });
});

test('the token endpoint refreshes, introspects and reports a revoked grant', async () => {
  const anonymous = new Client({ basePath: world.url });
  const tokens = await anonymous.oauth.tokensApi.create(
    'refresh_token',
    undefined,
    undefined,
    crmApp.clientId,
    crmApp.clientSecret,
    dental.refreshToken,
  );
  expect(tokens).toMatchObject({ expiresIn: 1800, tokenType: 'bearer', refreshToken: dental.refreshToken });
  const info = await anonymous.oauth.accessTokensApi.get(tokens.accessToken);
  expect(info).toMatchObject({
    hubId: dental.hubId,
    user: dental.users[0]?.email,
    hubDomain: dental.domain,
    tokenType: 'access',
  });
  const refused = anonymous.oauth.tokensApi.create(
    'refresh_token',
    undefined,
    undefined,
    crmApp.clientId,
    crmApp.clientSecret,
    'na1-nobody',
  );
  await expect(refused).rejects.toMatchObject({
    code: 400,
    body: { error: 'invalid_grant', status: 'BAD_REFRESH_TOKEN' },
  });
});

test('create, update and archive return exactly the codes that the client accepts', async () => {
  const contact = await writer.crm.contacts.basicApi.create({
    properties: { firstname: 'Ada', email: 'ada@example.com' },
    associations: [],
  });
  const draft = await writer.crm.commerce.invoices.basicApi.create({
    properties: { hs_currency: 'USD' },
    associations: [
      { to: { id: contact.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 177 }] },
    ],
  });
  expect(draft.properties.hs_currency).toBe('USD');
  await expect(
    writer.crm.commerce.invoices.basicApi.update(draft.id, { properties: { hs_invoice_status: 'open' } }),
  ).rejects.toMatchObject({ code: 400 });
  await writer.crm.lineItems.basicApi.create({
    properties: { name: 'Visit', price: '20', quantity: '2', amount: '40.00' },
    associations: [
      { to: { id: draft.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 410 }] },
    ],
  });
  await writer.crm.commerce.invoices.basicApi.update(draft.id, { properties: { hs_invoice_status: 'open' } });
  const openInvoice = await writer.crm.commerce.invoices.basicApi.getById(draft.id, [
    'hs_invoice_status',
    'hs_balance_due',
    'hs_number',
  ]);
  expect(openInvoice.properties).toMatchObject({
    hs_invoice_status: 'open',
    hs_balance_due: '40.00',
    hs_number: expect.stringMatching(/^INV-\d+$/),
  });
  await expect(
    writer.crm.commerce.invoices.basicApi.update(draft.id, { properties: { hs_invoice_status: 'paid' } }),
  ).rejects.toMatchObject({ code: 400 });
  await writer.crm.contacts.basicApi.archive(contact.id);
  await expect(writer.crm.contacts.basicApi.getById(contact.id)).rejects.toMatchObject({ code: 404 });
});

test('property definitions include the custom field of the one account that has it', async () => {
  const definitions = await reader.crm.properties.coreApi.getAll('invoices');
  expect(definitions.results.map((definition) => definition.name)).toContain('clinic_name');
});

test('a cut or garbled answer reaches the caller as an error, not as data', async () => {
  await world.control('faults', { on: '/crm/v3/objects/companies', do: 'html-502' });
  await expect(reader.crm.companies.basicApi.getPage(1)).rejects.toThrow();
  await world.control('faults', { on: '/crm/v3/objects/companies', do: 'drop-before' });
  await expect(reader.crm.companies.basicApi.getPage(1)).rejects.toThrow();
  await expect(reader.crm.companies.basicApi.getPage(1)).resolves.toBeDefined();
});

async function addInvoice(fields: Record<string, unknown>): Promise<[string]> {
  const { ids } = await world.control<{ ids: [string] }>('hubs/1/invoices', fields);
  return ids;
}
