import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { crmApp } from '#sandbox/credentials';
import { dental, physio, startSandbox, uniqueName, vet } from './start.ts';

type CrmRecord = {
  id: string;
  properties: Record<string, string | null>;
  associations?: Record<string, { results: { id: string }[]; paging?: object }>;
};
type CrmList = { results: CrmRecord[]; total?: number; paging?: { next: { after: string; link?: string } } };
type CrmError = {
  status: string;
  category?: string;
  message: string;
  policyName?: string;
  context?: Record<string, string[]>;
  errors?: { context: Record<string, string[]> }[];
};
type Links = { results: { from: { id: string }; to: { toObjectId: number }[] }[]; numErrors?: number };

const world = await startSandbox();
const app = { client_id: crmApp.clientId, client_secret: crmApp.clientSecret };
const addInvoice = async (fields: Record<string, unknown> = {}, hub = 1) =>
  (await world.control<{ ids: string[] }>(`hubs/${hub}/invoices`, fields)).ids[0] ?? '';
const filter = (propertyName: string, operator: string, value?: unknown) => ({
  propertyName,
  operator,
  ...(Array.isArray(value) ? { values: value } : { value }),
});
const searchFor = (...filters: object[]) => ({
  filterGroups: [{ filters }],
  properties: ['hs_number', 'hs_invoice_status', 'hs_balance_due', 'hs_currency'],
  limit: 200,
});

beforeEach(async () => {
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { limits: false });
});

test.each([
  '/crm/v3/objects/invoices',
  '/crm/objects/2026-03/invoices',
  '/crm/objects/2026-09/0-53',
  '/crm/objects/2026-09/invoice',
])('%s serves the same records', async (path) => {
  const crm = await world.crm(dental);
  const first = await crm.get<CrmList>(`${path}?limit=2`);
  expect(first.json.results.map((record) => record.id)).toEqual(
    (await crm.get<CrmList>('/crm/objects/2026-09/invoices?limit=2')).json.results.map((record) => record.id),
  );
});

test('list parameters may be repeated or comma-separated, and paging keeps them', async () => {
  const crm = await world.crm(dental);
  const joined = await crm.get<CrmList>(
    '/crm/objects/2026-09/invoices?limit=3&properties=hs_number,hs_currency&associations=contacts',
  );
  const repeated = await crm.get<CrmList>(
    '/crm/objects/2026-09/invoices?limit=3&properties=hs_number&properties=hs_currency&associations=contacts',
  );
  expect(repeated.json.results).toEqual(joined.json.results);
  const next = await crm.get<CrmList>(joined.json.paging?.next.link?.slice(world.url.length) ?? '');
  expect(next.json.results[0]?.properties).toHaveProperty('hs_number');
  expect(next.json.results[0]?.id).not.toBe(joined.json.results[0]?.id);
  expect((await crm.get<CrmError>('/crm/objects/2026-09/invoices?limit=101')).json.category).toBe('VALIDATION_ERROR');
});

test('the first account’s 137 invoices contain every edge case', async () => {
  const crm = await world.crm(dental);
  const query =
    'limit=100&properties=hs_number,hs_invoice_status,hs_balance_due,hs_currency,hs_invoice_billable,clinic_name&associations=contacts,line_items,companies';
  const page1 = (await crm.get<CrmList>(`/crm/objects/2026-09/invoices?${query}`)).json;
  const page2 = (await crm.get<CrmList>(`/crm/objects/2026-09/invoices?${query}&after=${page1.paging?.next.after}`))
    .json;
  const seeded = [...page1.results, ...page2.results].slice(0, 137);
  const links = (record: CrmRecord, name: string) => record.associations?.[name]?.results.length ?? 0;
  const open = seeded.filter((record) => record.properties.hs_invoice_status === 'open');
  expect(new Set(seeded.map((record) => record.properties.hs_invoice_status))).toEqual(
    new Set(['draft', 'open', 'paid', 'voided']),
  );
  expect(
    seeded
      .filter((record) => record.properties.hs_invoice_status === 'draft')
      .every((record) => record.properties.hs_balance_due === null),
  ).toBe(true);
  expect(new Set(open.map((record) => links(record, 'contacts')))).toEqual(new Set([0, 1, 2]));
  expect(open.some((record) => links(record, 'line items') === 0)).toBe(true);
  expect(
    open.find((record) => record.associations?.['line items']?.paging)?.associations?.['line items']?.results,
  ).toHaveLength(100);
  expect(open.some((record) => record.properties.hs_currency === 'EUR')).toBe(true);
  expect(open.some((record) => record.properties.hs_invoice_billable === 'false')).toBe(true);
  expect(open.filter((record) => record.properties.clinic_name)).toHaveLength(1);
  expect(seeded.slice(-10).every((record) => record.properties.hs_number)).toBe(true);
  const payable = open.filter(
    (record) =>
      record.properties.hs_currency === 'USD' &&
      Number(record.properties.hs_balance_due) >= 1 &&
      links(record, 'contacts') > 0,
  );
  expect(payable.length).toBeGreaterThanOrEqual(40);
});

test('accounts share record ids but nothing else', async () => {
  const [dentalCrm, physioCrm] = [await world.crm(dental), await world.crm(physio)];
  const shared = (await physioCrm.get<CrmList>('/crm/objects/2026-09/invoices?limit=1')).json.results[0]?.id;
  const read = async (crm: typeof dentalCrm) =>
    (await crm.get<CrmRecord>(`/crm/objects/2026-09/invoices/${shared}?properties=hs_number,clinic_name`)).json
      .properties;
  expect((await read(dentalCrm)).hs_number).toMatch(/^INV-/);
  expect((await read(physioCrm)).hs_number).toMatch(/^HP-/);
  expect(await read(physioCrm)).not.toHaveProperty('clinic_name');
  const dentalId = await addInvoice({}, 1);
  const missing = await (await world.crm(vet)).get<CrmError>(`/crm/objects/2026-09/invoices/${dentalId}`);
  expect([missing.status, missing.json.category]).toEqual([404, 'OBJECT_NOT_FOUND']);
});

test('search follows the documented rules for case, lists, numbers, dates and links', async () => {
  const crm = await world.crm(dental);
  const number = uniqueName('SRCH');
  const id = await addInvoice({ number, amount: '31.00', due_date: '2031-05-06' });
  const hits = async (...filters: object[]) => {
    const answer = await crm.post<CrmList>('/crm/objects/2026-09/invoices/search', searchFor(...filters));
    return answer.json.results?.map((record) => record.id) ?? answer.json;
  };
  expect(await hits(filter('hs_number', 'EQ', number.toLowerCase()))).toEqual([id]);
  expect(await hits(filter('hs_number', 'EQ', number), filter('hs_invoice_status', 'EQ', 'Open'))).toEqual([]);
  expect(await hits(filter('hs_number', 'EQ', number), filter('hs_invoice_status', 'IN', ['open', 'paid']))).toEqual([
    id,
  ]);
  expect(await hits(filter('hs_number', 'EQ', number), filter('hs_balance_due', 'GT', '4'))).toEqual([id]);
  expect(await hits(filter('hs_due_date', 'GTE', String(Date.parse('2031-05-06'))))).toEqual([id]);
  const contact = (await crm.get<CrmRecord>(`/crm/objects/2026-09/invoices/${id}?associations=contacts`)).json
    .associations?.contacts?.results[0]?.id;
  expect(await hits(filter('associations.contact', 'EQ', contact))).toEqual([id]);
  const unknown = await crm.post<CrmError>(
    '/crm/objects/2026-09/invoices/search',
    searchFor(filter('no_such', 'EQ', 'x')),
  );
  expect([unknown.status, unknown.json.category]).toEqual([400, 'VALIDATION_ERROR']);
});

test('search sorts, pages by offset and stops at 10,000', async () => {
  const crm = await world.crm(vet);
  const ask = (options: object) =>
    crm.post<CrmList>('/crm/objects/2026-09/invoices/search', {
      ...searchFor(),
      sorts: [{ propertyName: 'hs_due_date', direction: 'DESCENDING' }],
      properties: ['hs_due_date'],
      ...options,
    });
  const fullPage = (await ask({ limit: 200 })).json;
  const dates = fullPage.results.map((record) => Date.parse(record.properties.hs_due_date ?? ''));
  expect(dates).toEqual([...dates].sort((a, b) => b - a));
  const page = (await ask({ limit: 10, after: 10 })).json;
  expect(page.results.map((record) => record.id)).toEqual(fullPage.results.slice(10, 20).map((record) => record.id));
  expect(page.paging?.next.after).toBe('20');
  expect((await ask({ limit: 10, after: '9995' })).status).toBe(400);
  expect((await ask({ limit: 201 })).status).toBe(400);
});

test('associations are read in batches, which omit records without links and report them as errors', async () => {
  const crm = await world.crm(dental);
  const [linked, unlinked] = [await addInvoice(), await addInvoice({ contact: null })];
  const inputs = { inputs: [{ id: linked }, { id: unlinked }] };
  const current = await crm.post<Links>('/crm/associations/2026-09/invoices/contacts/batch/read', inputs);
  const older = await crm.post<Links>('/crm/associations/2026-03/invoices/contacts/batch/read', inputs);
  expect([current.status, older.status]).toEqual([200, 207]);
  expect(current.json.results.map((result) => result.from.id)).toEqual([linked]);
  expect(typeof current.json.results[0]?.to[0]?.toObjectId).toBe('number');
  expect(current.json.numErrors).toBe(1);
  expect((await crm.get(`/crm/objects/2026-09/invoices/${linked}/associations/contacts`)).status).toBe(404);
});

test('a call without the required scope is refused with the scopes that would allow it', async () => {
  const readOnly = await world.crm(dental);
  const refusal = await readOnly.post<CrmError>('/crm/objects/2026-09/contacts', { properties: { firstname: 'X' } });
  expect([refusal.status, refusal.json.category]).toEqual([403, 'MISSING_SCOPES']);
  expect(refusal.json.errors?.[0]?.context.requiredGranularScopes).toEqual(['crm.objects.contacts.write']);
});

test('a write that HubSpot would refuse is refused with the error name', async () => {
  const crm = await world.crm(dental, 'write');
  const id = await addInvoice();
  const write = async (properties: Record<string, string>) =>
    (await crm.patch<CrmError>(`/crm/objects/2026-09/invoices/${id}`, { properties })).json.message;
  expect(await write({ nonsense: '1' })).toContain('PROPERTY_DOESNT_EXIST');
  expect(await write({ hs_balance_due: '0' })).toContain('READ_ONLY_VALUE');
  expect(await write({ hs_invoice_status: 'Open' })).toContain('INVALID_OPTION');
});

test('access tokens last 1800 s of the sandbox clock and then report when they expired', async () => {
  const authorization = `Bearer ${await world.accessToken(dental)}`;
  const read = () => world.get<CrmError>('/crm/objects/2026-09/invoices?limit=1', { authorization });
  await world.control('clock', { add_s: 1790 });
  expect((await read()).status).toBe(200);
  await world.control('clock', { add_s: 190 });
  const expiredAnswer = await read();
  expect([expiredAnswer.status, expiredAnswer.json.category]).toEqual([401, 'EXPIRED_AUTHENTICATION']);
  expect(expiredAnswer.json.message).toBe('The OAuth token used to make this call expired 3 minute(s) ago.');
  expect(Date.parse(expiredAnswer.json.context?.['expire time']?.[0] ?? '')).toBeGreaterThan(0);
  expect((await world.get<CrmError>('/crm/objects/2026-09/invoices')).json.category).toBe('INVALID_AUTHENTICATION');
});

test('a refresh with rotation on invalidates the token it used', async () => {
  const sandbox = await startSandbox(onTestFinished);
  await sandbox.control('settings', { rotate_refresh: true });
  const first = await sandbox.token({ grant_type: 'refresh_token', refresh_token: vet.refreshToken });
  expect(first.json.refresh_token).not.toBe(vet.refreshToken);
  const second = await sandbox.token({ grant_type: 'refresh_token', refresh_token: vet.refreshToken });
  expect([second.status, second.json.error, second.json.status]).toEqual([400, 'invalid_grant', 'BAD_REFRESH_TOKEN']);
  const next = await sandbox.token({ grant_type: 'refresh_token', refresh_token: first.json.refresh_token ?? '' });
  expect(next.status).toBe(200);
});

test.each(['v3', '2026-03', '2026-09'])(
  'introspection of %s describes live tokens and reports others as inactive',
  async (version) => {
    const access = await world.accessToken(dental);
    const introspect = (token: string) =>
      world.call<Record<string, unknown>>(`/oauth/${version}/token/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ ...app, token }),
      });
    expect((await introspect(access)).json).toMatchObject({
      active: true,
      hub_id: dental.hubId,
      user: dental.users[0]?.email,
      token_type: 'Bearer',
      token_use: 'access_token',
    });
    expect((await introspect('nothing')).json).toEqual({ active: false });
  },
);

test('enabled rate limits stop the 111th call and the sixth search, each with its policy name', async () => {
  await world.control('settings', { limits: true });
  const crm = await world.crm(physio);
  let answer = await crm.get<CrmError>('/crm/objects/2026-09/companies?limit=1');
  const remainingBefore = Number(answer.headers.get('x-hubspot-ratelimit-remaining'));
  for (let calls = 0; calls <= remainingBefore; calls++)
    answer = await crm.get<CrmError>('/crm/objects/2026-09/companies?limit=1');
  expect([answer.status, answer.json.policyName]).toEqual([429, 'TEN_SECONDLY_ROLLING']);
  await world.control('clock', { add_s: 20 });
  expect((await crm.get('/crm/objects/2026-09/companies?limit=1')).status).toBe(200);
  const searches = await Promise.all(
    Array.from({ length: 6 }, () => crm.post<CrmError>('/crm/objects/2026-09/companies/search', {})),
  );
  expect(searches.filter((search) => search.json.policyName === 'SECONDLY')).toHaveLength(1);
  expect(searches[0]?.headers.has('x-hubspot-ratelimit-max')).toBe(false);
});

test('account details include the account’s IANA time zone', async () => {
  const details = await (await world.crm(dental)).get<{ timeZone: string; portalId: number }>(
    '/account-info/2026-09/details',
  );
  expect(details.json).toMatchObject({ portalId: dental.hubId, timeZone: 'America/Indiana/Indianapolis' });
});
