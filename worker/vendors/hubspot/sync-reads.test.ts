import { afterEach, describe, expect, it, vi } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { clearFaults, control, newInvoice, sandboxUrl, writeCrm } from '#tests/support/wire';
import { createHubSpot } from './hubspot.ts';
import type { ChangeCursor, CrmKind } from './port.ts';

const [maple, harbor, cedar] = hubs;
const crm = createHubSpot({
  baseUrl: sandboxUrl(),
  authorizeBase: sandboxUrl(),
  redirectUri: 'http://localhost:8787/oauth',
  clientId: crmApp.clientId,
  clientSecret: crmApp.clientSecret,
  timeoutMs: 5000,
});
const token = async (hub = maple) => (await crm.refreshTokens(hub.refreshToken)).accessToken;
const readCounts = async (hubId: number) => {
  const { hubs: all } = await control<{
    hubs: { hub_id: number; invoices: number; contacts: number; companies: number }[];
  }>('state');
  const hub = all.find(({ hub_id }) => hub_id === hubId);
  if (!hub) throw new Error('no such hub');
  return hub;
};

async function listAll<K extends CrmKind>(access: string, kind: K) {
  const records = [];
  for (let after: string | null = null, pages = 0; pages < 1000; pages++) {
    const page: Awaited<ReturnType<typeof crm.listRecords<K>>> = await crm.listRecords(access, kind, after, 'UTC');
    records.push(...page.records);
    after = page.next;
    if (after === null) return records;
  }
  throw new Error('the pages do not end');
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

describe('a page of records', () => {
  it.each(['companies', 'contacts', 'invoices'] as const)(
    'leads to the next page of %s until each record was read once',
    async (kind) => {
      const access = await token(harbor);
      const ids = (await listAll(access, kind)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength((await readCounts(harbor.hubId))[kind]);
      expect((await crm.countRecords(access, kind)).total).toBe(ids.length);
    },
  );

  it('has invoices with contact and company ids, amounts in cents and dates as days', async () => {
    const id = await newInvoice({
      number: 'INV-88001',
      due_date: '2026-12-24',
      contact: { firstname: 'Ada', lastname: 'First' },
      company: { name: 'Ada LLC' },
      properties: { hs_recipient_company_city: 'Carmel' },
    });
    const access = await token();
    const invoice = (await listAll(access, 'invoices')).find((invoice) => invoice.id === id);
    const single = await crm.getInvoice(access, id, { timeZone: 'UTC' });
    expect(invoice).toMatchObject({
      number: 'INV-88001',
      balanceCents: 18_400,
      dueDate: '2026-12-24',
      contactId: single?.contactId,
      companyId: single?.companyId,
      modifiedAt: single?.modifiedAt,
      recipient: { address: '', city: 'Carmel', state: '', zip: '' },
    });
    const [contacts, companies] = [
      await crm.readRecords(access, 'contacts', [invoice?.contactId ?? ''], 'UTC'),
      await crm.readRecords(access, 'companies', [invoice?.companyId ?? ''], 'UTC'),
    ];
    expect(contacts.records).toMatchObject([{ firstName: 'Ada', lastName: 'First' }]);
    expect(companies.records).toMatchObject([{ name: 'Ada LLC' }]);
  });

  it('reports the remaining rate limit, unlike a search', async () => {
    const access = await token();
    const { limit } = await crm.listRecords(access, 'contacts', null, 'UTC');
    expect(limit).toEqual({ max: 110, remaining: expect.any(Number), windowMs: 10_000 });
    expect((await crm.countRecords(access, 'contacts')).limit).toBeNull();
  });

  it('contains only archived records if they are requested', async () => {
    const liveInvoice = await newInvoice();
    const archived = await newInvoice();
    await fetch(`${sandboxUrl()}/crm/v3/objects/invoices/${archived}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await writerToken()}` },
    });
    const { ids } = await crm.listArchived(await token(), 'invoices', null);
    expect(ids).toContain(archived);
    expect(ids).not.toContain(liveInvoice);
    expect(
      (await crm.readRecords(await token(), 'invoices', [archived, liveInvoice], 'UTC')).records.map(({ id }) => id),
    ).toEqual([liveInvoice]);
  });
});

async function writerToken(): Promise<string> {
  const { accessToken } = await crm.refreshTokens(maple.writerRefreshToken);
  return accessToken;
}

describe('invoice associations', () => {
  it('return one contact per invoice, and none for an invoice without one', async () => {
    const linked = await newInvoice();
    const unlinked = await newInvoice({ contact: null, company: null });
    const access = await token();
    const { links } = await crm.readLinks(access, 'invoices', [linked, unlinked], 'contacts');
    expect(links.get(linked)).toBe((await crm.getInvoice(access, linked, { timeZone: 'UTC' }))?.contactId);
    expect(links.get(unlinked) ?? '').toBe('');
  });

  it('prefer the company labeled as primary', async () => {
    const linkTo = (toObjectId: number, label: string | null) => ({ toObjectId, associationTypes: [{ label }] });
    const results = [{ from: { id: '1' }, to: [linkTo(7, null), linkTo(8, 'Primary'), linkTo(9, 'Billing')] }];
    vi.stubGlobal('fetch', async () => Response.json({ results }));
    expect((await crm.readLinks('t', 'invoices', ['1'], 'companies')).links.get('1')).toBe('8');
  });
});

describe('changed records', () => {
  /** All changes after the cursor, over several searches. */
  async function listChanges(access: string, kind: CrmKind, from: number) {
    const ids: string[] = [];
    let cursor: ChangeCursor | null = { modifiedAt: from, tieId: null };
    let searches = 0;
    while (cursor) {
      if (++searches > 300) throw new Error('the changes do not end');
      const page: Awaited<ReturnType<typeof crm.listChanged>> = await crm.listChanged(access, kind, cursor);
      ids.push(...page.changed.map(({ id }) => id));
      cursor = page.next;
    }
    return { ids, searches };
  }

  it('are listed from a given time, oldest change first', async () => {
    const before = await newInvoice();
    const access = await token();
    const { modifiedAt = 0 } = (await crm.getInvoice(access, before, { timeZone: 'UTC' })) ?? {};
    const from = modifiedAt + 1;
    await vi.waitUntil(() => Date.now() > from);
    const changed = [await newInvoice(), await newInvoice()];
    await vi.waitUntil(() => Date.now() > from + 5);
    await writeCrm('PATCH', `/crm/v3/objects/invoices/${changed[0]}`, { properties: { hs_title: 'again' } });
    const { ids } = await listChanges(access, 'invoices', from);
    expect(ids.filter((id) => [before, ...changed].includes(id))).toEqual([changed[1], changed[0]]);
  });

  it('are all listed, even when hundreds changed in one millisecond', async () => {
    const from = Date.now();
    const { ids } = await control<{ ids: string[] }>(`hubs/${cedar.hubId}/invoices`, { count: 1700 });
    const access = await token(cedar);
    // They are created in batches, so all contacts of a batch changed in the same millisecond.
    const contacts = await listChanges(access, 'contacts', from);
    expect(new Set(contacts.ids).size).toBe(425);
    const invoices = await listChanges(access, 'invoices', from - 3_600_000);
    expect(ids.filter((id) => !invoices.ids.includes(id))).toEqual([]);
  });

  it('are read by id when one millisecond fills a page, and continue after it', async () => {
    const page = (count: number, first: number, at: string) =>
      Response.json({
        total: 10_000,
        results: Array.from({ length: count }, (_, index) => ({
          id: String(first + index),
          properties: { hs_lastmodifieddate: at },
        })),
      });
    const at = '2026-03-01T00:00:00Z';
    const instant = Date.parse(at);
    const bodies: string[] = [];
    const replies = [page(200, 1, at), page(200, 201, at), page(3, 401, at)];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      bodies.push(String(init.body));
      return replies.shift();
    });
    const first = await crm.listChanged('t', 'invoices', { modifiedAt: instant, tieId: null });
    expect(first.next).toEqual({ modifiedAt: instant, tieId: '0' });
    const second = await crm.listChanged('t', 'invoices', { modifiedAt: instant, tieId: '0' });
    expect(second.next).toEqual({ modifiedAt: instant, tieId: '400' });
    const third = await crm.listChanged('t', 'invoices', { modifiedAt: instant, tieId: '400' });
    expect(third.next).toEqual({ modifiedAt: instant + 1, tieId: null });
    expect(JSON.parse(bodies[2] ?? '')).toMatchObject({
      filterGroups: [
        {
          filters: [
            { propertyName: 'hs_lastmodifieddate', operator: 'EQ', value: String(instant) },
            { propertyName: 'hs_object_id', operator: 'GT', value: '400' },
          ],
        },
      ],
      sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    });
  });
});

describe('the newest records', () => {
  it('start with the record created last', async () => {
    const id = await newInvoice();
    expect((await crm.listNewest(await token(), 'invoices')).ids[0]).toBe(id);
  });
});

describe('a CRM failure on a list read', () => {
  const stubReply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    vi.stubGlobal('fetch', async () => Response.json(body, { status, headers }));
  const readFailure = () => crm.listRecords('t', 'contacts', null, 'UTC').catch((cause: unknown) => cause);

  it.each([
    ['429 with a time', 429, {}, { 'retry-after': '7' }, 7000],
    ['429 of the rolling limit', 429, { policyName: 'TEN_SECONDLY_ROLLING' }, {}, 10_000],
    ['429 of the limit per second', 429, { policyName: 'SECONDLY' }, {}, 1000],
    ['429 of the day', 429, { policyName: 'DAILY' }, {}, 3_600_000],
    ['429 and nothing else', 429, {}, {}, 10_000],
    ['423, locked', 423, {}, {}, 2000],
    ['477, moving', 477, {}, { 'retry-after': '3600' }, 3_600_000],
    ['477 with an excessive delay', 477, {}, { 'retry-after': '99999999' }, 86_400_000],
  ])('is not retried before the requested time after %s', async (_case, status, body, headers, ms) => {
    stubReply(status, body, headers);
    const cause = await readFailure();
    expect(cause).toMatchObject({ reason: 'unavailable' });
    const { retryAfterMs } = cause as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThanOrEqual(ms);
    expect(retryAfterMs).toBeLessThanOrEqual(ms * 1.1 + 1);
  });

  it('is not retried at once', async () => {
    let calls = 0;
    vi.stubGlobal('fetch', async () => {
      calls++;
      return new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } });
    });
    expect(await readFailure()).toMatchObject({ reason: 'unavailable', retryAfterMs: null });
    expect(calls).toBe(1);
  });
});
