import { beforeAll, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { CustomersReply, InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { bearer, consent, Jar } from '#tests/support/consent';
import { useProduct } from '#tests/support/product/product';
import { contacts, invoices } from '#worker/data/schema/schema';
import { answerOf, expectError, expectPrivate } from './answers.ts';

const product = useProduct();
const [ownHub, otherHub] = hubs;

async function logIn(accountIndex: 0 | 1): Promise<string> {
  const jar = new Jar();
  const get = async (path: string) =>
    jar.take(await fetch(`${product.appUrl}${path}`, { redirect: 'manual', headers: jar.header }));
  const callback = await consent(new URL((await get('/oauth/start')).headers.get('location') ?? ''), accountIndex);
  await get(`${callback.pathname}${callback.search}`);
  return jar.cookies.get('authToken') ?? '';
}

const tag = crypto.randomUUID().slice(0, 8);
/** An id that the simulated CRM never uses, the same in both accounts. */
const id = String(900_000_000 + Math.floor(Math.random() * 90_000_000));
let token: string;

beforeAll(async () => {
  token = await logIn(0);
  await logIn(1);
  const row = { invoiceId: id, contactId: id, status: 'open', currency: 'USD', balanceCents: 18_400, readAt: 1 };
  for (const [account, number] of [
    [ownHub, `Own-${tag}`],
    [otherHub, `Foreign-${tag}`],
  ] as const) {
    const { db } = await product.clinic(account.hubId);
    await db.batch([
      db.insert(invoices).values({ ...row, accountId: account.hubId, number, contactFirstName: number }),
      db.insert(contacts).values({ accountId: account.hubId, contactId: id, firstName: number, readAt: 1 }),
    ]);
  }
});

const get = async (path: string, as = token) =>
  answerOf(await fetch(`${product.appUrl}${path}`, { headers: bearer(as) }));
const readList = async <T>(path: string): Promise<T> => {
  const answer = await get(path);
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  expectPrivate(answer);
  return JSON.parse(answer.text) as T;
};

describe('a merchant’s lists, through the built Worker', () => {
  it('find an invoice, its live link and its customer, and nothing of another account with the same ids', async () => {
    const [invoice, ...none] = await readList<InvoiceItem[]>(`/api/invoices?q=${tag}`);
    expect(none).toEqual([]);
    expect(invoice).toMatchObject({ id, properties: { hs_number: `Own-${tag}`, hs_balance_due: '184.00' } });
    const [open] = await readList<OpenInvoiceItem[]>(`/api/invoices/getOpenInvoices?q=${tag}`);
    expect(open).toMatchObject({ crm_id: id, invoice_number: `Own-${tag}`, amount_due: '184.00', status: 'open' });
    expect(open?.id).toMatch(/^[0-9a-z]+-[\w-]{27}-[\w-]{16}$/);
    const { data } = await readList<CustomersReply>(`/api/customers?q=${tag}&open=1`);
    expect(data.results.map((customer) => customer.properties.firstname)).toEqual([`Own-${tag}`]);
    const customer = await readList<{ results: unknown[] }>(`/api/invoices/getCustomer/${id}`);
    // The list also shows the customer's debt.
    expect(customer.results).toEqual(data.results.map(({ id, properties }) => ({ id, properties })));
    expect(data.results).toMatchObject([{ owed: '184.00', first_due: null, last_paid_at: null }]);
  });

  it('can be downloaded, sent in pieces', async () => {
    const answer = await get(`/api/invoices?format=csv&q=${tag}`);
    expectPrivate(answer);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="invoices-/);
    expect(answer.text.split('\r\n')[1]).toContain(`"${id}","Own-${tag}"`);
  });

  it('refuse invalid requests and callers without a login', async () => {
    for (const path of ['/api/invoices', '/api/invoices/getOpenInvoices', '/api/customers']) {
      expect(expectError(await get(`${path}?sort=account_id`), 422).error?.fields).toEqual(['sort']);
      expectError(await get(path, 'a.b.c'), 401, 'Please log in again.');
    }
    expectError(await get('/api/invoices/getCustomer/0'), 404, 'No invoice found');
  });
});
