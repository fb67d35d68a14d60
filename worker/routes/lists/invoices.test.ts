import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { hubs } from '#sandbox/credentials';
import { InvoiceItem } from '#shared/contracts/lists/lists';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp, type TestApp } from '#tests/support/login';
import { addInvoices } from '#tests/support/unit/lists';
import { add } from '#tests/support/unit/rows';

const ACCOUNT_ID = hubs[0].hubId;

async function makeMerchant() {
  const app = makeApp();
  const { token } = await logIn(app, 0);
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  return { app, token, get };
}

const readList = async (response: Response) => z.array(InvoiceItem).parse(await response.json());
const getWithHeaders = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers });

describe('GET /api/invoices', () => {
  it('returns the newest first with every row field, and paging details in the headers', async () => {
    const { get } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '7', number: 'INV-7', createdAt: Date.UTC(2026, 0, 1) },
      {
        invoiceId: '8',
        number: 'INV-8',
        balanceCents: 18_400,
        billedCents: 20_000,
        dueDate: '2026-02-01',
        createdAt: Date.UTC(2026, 0, 2),
        modifiedAt: Date.UTC(2026, 0, 3),
        contactFirstName: 'Marta',
        contactLastName: 'Núñez',
        contactId: '70',
        companyName: 'Studio',
        localStatus: 'paid',
      },
    ]);
    const response = await get('/api/invoices');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-total-count')).toBe('2');
    expect(response.headers.get('x-page')).toBe('1');
    expect(response.headers.get('x-page-count')).toBe('1');
    const [newest, older] = await readList(response);
    expect(newest).toEqual({
      id: '8',
      properties: {
        hs_number: 'INV-8',
        hs_amount_billed: '200.00',
        hs_balance_due: '0.00',
        hs_due_date: '2026-02-01',
        hs_createdate: '2026-01-02T00:00:00.000Z',
        hs_lastmodifieddate: '2026-01-03T00:00:00.000Z',
        hs_invoice_status: 'paid',
        hs_currency: 'USD',
      },
      crm_status: 'open',
      customer_name: 'Marta Núñez',
      customer_id: '70',
      company_name: 'Studio',
      refunded: '0.00',
      part_paid: '0.00',
      is_undecided: false,
    });
    expect(older?.properties).toMatchObject({ hs_amount_billed: null, hs_balance_due: null, hs_due_date: null });
  });

  it.each([
    ['unknown', true],
    ['needs_human', true],
    ['declined', false],
  ])('reports whether a payment may have been charged: %s', async (state, isUndecided) => {
    const { get } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [{ invoiceId: '7', number: 'INV-7' }]);
    await add('payment_attempts', {
      id: crypto.randomUUID(),
      account_id: ACCOUNT_ID,
      invoice_id: '7',
      receipt_id: crypto.randomUUID(),
      collection: 1,
      state,
      amount_cents: 100,
      currency: 'USD',
    });
    const [row] = await readList(await get('/api/invoices'));
    expect(row?.is_undecided).toBe(isUndecided);
  });

  it('pages through the list with the cursors of each page', async () => {
    const { get } = await makeMerchant();
    await addInvoices(
      ACCOUNT_ID,
      Array.from({ length: 25 }, (_, index) => ({ invoiceId: String(index + 1), number: `INV-${index % 3}` })),
    );
    const ids: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page++) {
      const response: Response = await get(`/api/invoices?size=10&sort=-hs_number&page=${page}&cursor=${cursor}`);
      expect(response.headers.get('x-page')).toBe(String(page));
      ids.push(...(await readList(response)).map(({ id }) => id));
      cursor = response.headers.get('x-next-cursor');
    }
    expect(new Set(ids).size).toBe(25);
    const second = await get('/api/invoices?size=10&sort=-hs_number&page=2');
    expect((await readList(second)).map(({ id }) => id)).toEqual(ids.slice(10, 20));
    const previousCursor = second.headers.get('x-previous-cursor');
    const first = await get(`/api/invoices?size=10&sort=-hs_number&page=1&cursor=${previousCursor}`);
    expect((await readList(first)).map(({ id }) => id)).toEqual(ids.slice(0, 10));
    const pageBeyondEnd = await get('/api/invoices?size=10&page=4');
    expect([pageBeyondEnd.status, await readList(pageBeyondEnd), pageBeyondEnd.headers.get('x-page-count')]).toEqual([
      200,
      [],
      '3',
    ]);
  });

  it('reports the age of the synced records, a CRM failure and the progress of the first full scan', async () => {
    const { get } = await makeMerchant();
    const sync = (values: string) =>
      env.DB.prepare(
        `INSERT OR REPLACE INTO crm_sync_states (account_id, requested_at, first_page_at, copied, expected, as_of, failing_since, complete_at) VALUES (${ACCOUNT_ID}, ${Number.MAX_SAFE_INTEGER}, 1, ${values})`,
      ).run();
    await sync(`40, 137, ${Date.UTC(2026, 0, 1)}, ${Date.UTC(2026, 0, 2)}, NULL`);
    const { headers } = await get('/api/invoices');
    expect(headers.get('x-data-as-of')).toBe('2026-01-01T00:00:00.000Z');
    expect(headers.get('x-data-stale')).toBe('true');
    expect(headers.get('x-copying')).toBe('40/137');
    await sync(`137, 137, ${Date.UTC(2026, 0, 3)}, NULL, 1`);
    const laterHeaders = (await get('/api/invoices')).headers;
    expect([laterHeaders.get('x-data-as-of'), laterHeaders.get('x-data-stale'), laterHeaders.get('x-copying')]).toEqual(
      ['2026-01-03T00:00:00.000Z', null, null],
    );
  });

  it('returns 422 with the names of invalid parameters', async () => {
    const { get } = await makeMerchant();
    const response = await get('/api/invoices?page=0&sort=number&hs_due_date=soon');
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: {
        code: 'invalid',
        message: 'The list cannot be shown in this way.',
        fields: ['page', 'sort', 'hs_due_date'],
      },
    });
  });

  it('returns 401 without a session or after logout, before any parameter check', async () => {
    const { app, token } = await makeMerchant();
    const bearers: Record<string, string>[] = [{}, { authorization: 'Bearer' }, bearer('a.b.c')];
    for (const headers of bearers) {
      expect((await getWithHeaders(app, '/api/invoices?page=0', headers)).status).toBe(401);
    }
    await env.DB.prepare('UPDATE sessions SET revoked_at = 1').run();
    const refusedResponse = await getWithHeaders(app, '/api/invoices', bearer(token));
    expect(refusedResponse.status).toBe(401);
    expect([...refusedResponse.headers.keys()].filter((name) => /^x-(total|page|data|copying)/.test(name))).toEqual([]);
    expect((await getWithHeaders(app, '/api/invoices?format=csv', bearer(token))).status).toBe(401);
  });

  it('never shows records of another account with the same ids', async () => {
    const { get } = await makeMerchant();
    await env.DB.prepare(
      "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (999, 'Other', 'o', 'UTC', 0)",
    ).run();
    await addInvoices(ACCOUNT_ID, [{ invoiceId: '7', number: 'OWN-7' }]);
    await addInvoices(999, [
      { invoiceId: '7', number: 'FOREIGN-7' },
      { invoiceId: '8', number: 'FOREIGN-8' },
    ]);
    for (const query of [
      '',
      '?q=foreign',
      '?hs_invoice_status=open',
      '?format=csv',
      '?page=1&hub=999&account_id=999',
    ]) {
      const text = await (await get(`/api/invoices${query}`)).text();
      expect(text).not.toContain('FOREIGN');
    }
  });
});

describe('GET /api/invoices?format=csv', () => {
  it('returns every filtered row in the requested order, and escapes cells that start a formula', async () => {
    const { get } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '7', number: '=1+1', localStatus: 'refunded', balanceCents: -500, billedCents: 100 },
      { invoiceId: '8', number: 'INV-8', contactFirstName: '"Ann"', contactLastName: '+5', companyName: '@x' },
      { invoiceId: '9', number: 'INV-9', status: 'draft' },
    ]);
    const response = await get('/api/invoices?format=csv&sort=-id&hs_invoice_status=open,refunded&page=2&size=1');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="invoices-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(response.headers.get('x-total-count')).toBe('2');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes).split('\r\n')).toEqual([
      '"Invoice ID","Invoice Number","Amount Billed","Balance Due","Currency","Due Date","Created Date","Last Modified Date","Status","Status in the CRM","Customer","Company"',
      `"8","INV-8","","","USD","","","","open","open","""Ann"" +5","'@x"`,
      `"7","'=1+1","1.00","-5.00","USD","","","","refunded","open","",""`,
      '',
    ]);
  });

  it('returns every row of a long list, with or without a filter', async () => {
    const { get } = await makeMerchant();
    await env.DB.prepare(
      `INSERT INTO invoices (account_id, invoice_id, number, status, currency, due_date, read_at)
       SELECT ?, value, 'INV-' || value, iif(value % 9 = 0, 'paid', 'open'), 'USD', '2026-01-0' || (1 + value % 3), 1
       FROM json_each(?)`,
    )
      .bind(ACCOUNT_ID, JSON.stringify(Array.from({ length: 2300 }, (_, index) => String(index + 1))))
      .run();
    const ids = async (query: string) =>
      [...(await (await get(`/api/invoices?format=csv&sort=hs_due_date${query}`)).text()).matchAll(/^"(\d+)"/gm)].map(
        ([, id]) => Number(id),
      );
    expect((await ids('')).sort((a, b) => a - b)).toEqual(Array.from({ length: 2300 }, (_, index) => index + 1));
    expect(new Set(await ids('&hs_invoice_status=open')).size).toBe(2300 - 255);
    expect(new Set(await ids('&hs_invoice_status=paid')).size).toBe(255);
    expect(new Set(await ids('&q=inv')).size).toBe(2300);
  });
});
