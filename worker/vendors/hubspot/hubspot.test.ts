import { afterEach, describe, expect, it, vi } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { consent } from '#tests/support/consent';
import { clearFaults, control, newInvoice, newInvoiceOfOneAccount, sandboxUrl, writeCrm } from '#tests/support/wire';
import { createHubSpot } from './hubspot.ts';

const [maple, harbor] = hubs;
const crm = (overrides: Partial<Parameters<typeof createHubSpot>[0]> = {}) =>
  createHubSpot({
    baseUrl: sandboxUrl(),
    authorizeBase: sandboxUrl(),
    redirectUri: 'http://localhost:8787/oauth',
    clientId: crmApp.clientId,
    clientSecret: crmApp.clientSecret,
    timeoutMs: 5000,
    ...overrides,
  });
const token = async (hub = maple) => (await crm().refreshTokens(hub.refreshToken)).accessToken;
const injectFault = (kind: string, times = 1, target = 'crm', ms = 0) =>
  control('faults', { on: target, do: kind, times, ms });
const crmError = (reason: string) => expect.objectContaining({ name: 'Error', reason });

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

describe('a CRM invoice', () => {
  it('is read with its contact and company, its amounts in cents and its due date as a day', async () => {
    const id = await newInvoice({
      number: 'INV-77001',
      paid: '84.00',
      due_date: '2026-12-24',
      contact: { firstname: 'Marta', lastname: 'Núñez', email: 'marta@example.test' },
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
    });
    const before = Date.now();
    expect(await crm().getInvoice(await token(), id, { timeZone: 'UTC' })).toEqual({
      id,
      number: 'INV-77001',
      status: 'open',
      currency: 'USD',
      balanceCents: 10_000,
      billedCents: 18_400,
      dueDate: '2026-12-24',
      invoiceDate: new Date(before).toISOString().slice(0, 10),
      paidAt: null,
      createdAt: expect.closeTo(before, -4),
      modifiedAt: expect.closeTo(before, -4),
      contactId: expect.stringMatching(/^\d+$/),
      companyId: expect.stringMatching(/^\d+$/),
      contact: { firstName: 'Marta', lastName: 'Núñez', email: 'marta@example.test' },
      contactAddress: { address: '', city: '', state: '', zip: '' },
      contactLanguage: '',
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
    });
  });

  it.each([
    ['America/Indiana/Indianapolis', '2026-03-05T02:30:00Z', '2026-03-04'],
    ['America/Indiana/Indianapolis', '2026-03-05T17:00:00Z', '2026-03-05'],
    ['Pacific/Auckland', '2026-03-05T17:00:00Z', '2026-03-06'],
    // Midnight UTC is a date without a time.
    ['America/Indiana/Indianapolis', '2026-03-05T00:00:00Z', '2026-03-05'],
    ['Pacific/Auckland', '2026-03-05T00:00:00Z', '2026-03-05'],
  ])('has the due and invoice dates of the zone %s for %s', async (timeZone, at, day) => {
    const id = await newInvoice({ properties: { hs_due_date: at, hs_invoice_date: at } });
    const access = await token();
    const dates = { dueDate: day, invoiceDate: day };
    expect(await crm().getInvoice(access, id, { timeZone })).toMatchObject(dates);
    expect((await crm().getInvoiceSheet(access, id, timeZone))?.invoice).toMatchObject(dates);
    expect((await crm().readRecords(access, 'invoices', [id], timeZone)).records).toMatchObject([dates]);
  });

  it('is read with one complete contact when it has two', async () => {
    const people = [
      { firstname: 'Ada', lastname: 'First', email: 'ada@example.test' },
      { firstname: 'Bo', lastname: 'Second', email: 'bo@example.test' },
    ];
    const id = await newInvoice({ contact: people[0] });
    const second = await writeCrm<{ id: string }>('POST', '/crm/v3/objects/contacts', { properties: people[1] });
    await writeCrm('PUT', `/crm/v4/objects/invoices/${id}/associations/default/contacts/${second.id}`);
    const read = await crm().getInvoice(await token(), id, { timeZone: 'UTC' });
    const { firstName, lastName, email } = read?.contact ?? {};
    expect(people).toContainEqual({ firstname: firstName, lastname: lastName, email });
  });

  it('is read with its second contact when the first has no email address', async () => {
    const id = await newInvoice({ contact: { firstname: 'Ada', lastname: 'First', email: '' } });
    const second = await writeCrm<{ id: string }>('POST', '/crm/v3/objects/contacts', {
      properties: { firstname: 'Ben', email: ' ben@\u200bexample.test' },
    });
    await writeCrm('PUT', `/crm/v4/objects/invoices/${id}/associations/default/contacts/${second.id}`);
    const read = await crm().getInvoice(await token(), id, { timeZone: 'UTC' });
    expect(read).toMatchObject({ contactId: second.id, contact: { firstName: 'Ben', email: 'ben@example.test' } });
  });

  it('has empty fields without a contact and a company', async () => {
    const id = await newInvoice({ contact: null, company: null });
    const read = await crm().getInvoice(await token(), id, { timeZone: 'UTC' });
    expect(read?.contact).toEqual({ firstName: '', lastName: '', email: '' });
    expect(read?.company).toEqual({ name: '', address: '', city: '', state: '', zip: '' });
  });

  it('takes the address on the invoice when it has no company', async () => {
    const id = await newInvoice({
      company: null,
      properties: { hs_recipient_company_address: '9 Oak Ave', hs_recipient_company_zip: '46033' },
    });
    const read = await crm().getInvoice(await token(), id, { timeZone: 'UTC' });
    expect(read?.company).toMatchObject({ name: '', address: '9 Oak Ave', zip: '46033' });
  });

  it.each([
    ['null', null],
    ['text', 'abc'],
    ['three decimals', '12.345'],
    ['out of range', '1e309'],
  ])('has no amount for a balance of %s', async (_case, balance) => {
    const read = await crm().getInvoice(await token(), await newInvoice({ balance }), { timeZone: 'UTC' });
    expect(read?.balanceCents).toBeNull();
    expect(read?.billedCents).toBe(18_400);
  });

  it('preserves its currency, its status and a name of any length', async () => {
    const lastname = 'Wolfeschlegelsteinhausenbergerdorff-O’Shaughnessy 渡辺'.repeat(5);
    const id = await newInvoice({ currency: 'EUR', status: 'voided', contact: { firstname: 'Þórdís', lastname } });
    const read = await crm().getInvoice(await token(), id, { timeZone: 'UTC' });
    expect(read).toMatchObject({
      currency: 'EUR',
      status: 'voided',
      contact: { firstName: 'Þórdís', lastName: lastname },
    });
  });

  it('is null when the account does not have it, even if another account has that id', async () => {
    const id = await newInvoiceOfOneAccount();
    expect(await crm().getInvoice(await token(), '999999999999', { timeZone: 'UTC' })).toBeNull();
    expect(await crm().getInvoice(await token(harbor), id, { timeZone: 'UTC' })).toBeNull();
  });

  it('is never requested under an id that escapes its path', async () => {
    const paths: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      paths.push(new URL(url).pathname);
      return Response.json({ category: 'OBJECT_NOT_FOUND' }, { status: 404 });
    });
    await crm().getInvoice('t', '../../oauth/token?x=', { timeZone: 'UTC' });
    expect(paths.every((path) => /^\/crm\/(objects|associations)\//.test(path))).toBe(true);
  });
});

describe('a CRM failure', () => {
  it('is retried after one 429, and reported as unavailable after many', async () => {
    const id = await newInvoice();
    const access = await token();
    await injectFault('429');
    expect((await crm().getInvoice(access, id, { timeZone: 'UTC' }))?.balanceCents).toBe(18_400);
    await injectFault('429', 20);
    await expect(crm().getInvoice(access, id, { timeZone: 'UTC' })).rejects.toEqual(crmError('unavailable'));
  });

  it('is reported as expired for an expired or unknown token', async () => {
    const id = await newInvoice();
    const access = await token();
    await injectFault('401-expired', 3);
    await expect(crm().getInvoice(access, id, { timeZone: 'UTC' })).rejects.toEqual(crmError('expired'));
    await clearFaults();
    await expect(crm().getInvoice('made-up', id, { timeZone: 'UTC' })).rejects.toEqual(crmError('expired'));
  });

  it.each(['500', 'html-502', 'drop-before', 'bad-json', 'redirect'])(
    'is reported as unavailable on %s',
    async (kind) => {
      const id = await newInvoice();
      const access = await token();
      await injectFault(kind, 20);
      await expect(crm().getInvoice(access, id, { timeZone: 'UTC' })).rejects.toEqual(crmError('unavailable'));
    },
  );

  it('is reported as unavailable on a timeout', async () => {
    const id = await newInvoice();
    const access = await token();
    await injectFault('delay', 20, 'crm', 60_000);
    await expect(crm({ timeoutMs: 100 }).getInvoice(access, id, { timeZone: 'UTC' })).rejects.toEqual(
      crmError('unavailable'),
    );
  });

  it.each([
    ['a page with status 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['five megabytes', () => Response.json({ id: '1', properties: { x: 'y'.repeat(5_000_000) } })],
    ['a 404 from a proxy', () => new Response('not here', { status: 404 })],
    ['a record without properties', () => Response.json({ id: '1' })],
  ])('is reported as unavailable when the reply is %s', async (_case, reply) => {
    vi.stubGlobal('fetch', async () => reply());
    await expect(crm().getInvoice('t', '1', { timeZone: 'UTC' })).rejects.toEqual(crmError('unavailable'));
  });

  it('is reported as a missing scope', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ category: 'MISSING_SCOPES' }, { status: 403 }));
    await expect(crm().getInvoice('t', '1', { timeZone: 'UTC' })).rejects.toEqual(crmError('missing-scopes'));
  });
});

describe('a token refresh', () => {
  it('returns a working pair with its lifetime and scopes', async () => {
    const tokens = await crm().refreshTokens(maple.refreshToken);
    expect(tokens).toMatchObject({ refreshToken: maple.refreshToken, expiresInS: 1800 });
    expect(tokens.scopes).toContain('crm.objects.invoices.read');
    expect(await crm().getInvoice(tokens.accessToken, await newInvoice(), { timeZone: 'UTC' })).not.toBeNull();
  });

  it('reports a revoked grant as revoked, and any other failure as unavailable', async () => {
    await expect(crm().refreshTokens('na1-gone')).rejects.toEqual(crmError('revoked'));
    await expect(crm({ clientSecret: 'wrong' }).refreshTokens(maple.refreshToken)).rejects.toEqual(
      crmError('unavailable'),
    );
    await injectFault('500', 5);
    await expect(crm().refreshTokens(maple.refreshToken)).rejects.toEqual(crmError('unavailable'));
    await clearFaults();
    vi.stubGlobal('fetch', async () => Response.json({ access_token: 'a', expires_in: 1800 }));
    await expect(crm().refreshTokens(maple.refreshToken)).rejects.toEqual(crmError('unavailable'));
  });

  it('never exposes a token or the secret in an address or an error', async () => {
    const urls: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      urls.push(url);
      throw new Error('connection refused');
    });
    const failure = await crm().refreshTokens('na1-very-secret').catch(String);
    expect(`${urls} ${failure}`).not.toMatch(/na1-very-secret|ac478022/);
  });
});

describe('connecting an account', () => {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await control('settings', { introspection: 'full' });
  });

  it.each(['full', 'bare'])(
    'finds the account with the newest or the previous introspection version (%s)',
    async (introspection) => {
      await control('settings', { introspection: introspection });
      const verifier = crypto.randomUUID() + crypto.randomUUID();
      const authorize = new URL(await crm().authorizeUrl({ state: 's', verifier }));
      const code = (await consent(authorize, 1)).searchParams.get('code') ?? '';
      const [admin] = harbor.users;
      expect(await crm().exchangeCode(code, verifier)).toMatchObject({
        accountId: harbor.hubId,
        accountDomain: harbor.domain,
        userId: admin?.userId,
        email: admin?.email,
        tokens: { scopes: expect.arrayContaining(['oauth', 'e-commerce']) },
      });
    },
  );

  it('requests the optional scopes only if payments will be recorded', async () => {
    const optionalScopes = 'crm.objects.commercepayments.read crm.objects.commercepayments.write';
    const scopesOf = async (mayWrite: boolean, set = optionalScopes) =>
      new URL(
        await crm({ optionalScopes: set }).authorizeUrl({ state: 's', verifier: 'v', mayWrite }),
      ).searchParams.get('optional_scope');
    expect([await scopesOf(true), await scopesOf(false), await scopesOf(true, '')]).toEqual([
      optionalScopes,
      null,
      null,
    ]);
  });

  it('fails if no version returns the account', async () => {
    const replies = new Map([
      ['token', { access_token: 'a', refresh_token: 'r', expires_in: 1800 }],
      ['introspect', { active: true }],
      ['details', { timeZone: 'UTC' }],
    ]);
    const paths: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      paths.push(new URL(url).pathname);
      return Response.json(replies.get(url.split('/').at(-1) ?? ''));
    });
    await expect(crm().exchangeCode('c', 'v')).rejects.toEqual(crmError('unavailable'));
    expect(paths.filter((path) => path.endsWith('introspect'))).toEqual([
      '/oauth/2026-09/token/introspect',
      '/oauth/2026-03/token/introspect',
    ]);
  });
});
