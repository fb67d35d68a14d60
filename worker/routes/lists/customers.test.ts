import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { addContacts, addInvoices } from '#tests/support/unit/lists';

const ACCOUNT_ID = hubs[0].hubId;

async function makeMerchant() {
  const app = makeApp();
  const { token } = await logIn(app, 0);
  return { app, get: (path: string) => app.request(path, { headers: bearer(token) }) };
}

type Reply = { data: { results: { id: string; properties: Record<string, string> }[] } };

const NO_DEBT = { owed: '0.00', has_unreadable: false, first_due: null, last_paid_at: null };

describe('GET /api/customers', () => {
  it('returns the account’s customers by name, with the total in a header', async () => {
    const { get } = await makeMerchant();
    await addContacts(ACCOUNT_ID, [
      { contactId: '1', firstName: 'zoe', lastName: 'Bö', email: 'z@b.example', phone: '1', company: 'Acme' },
      { contactId: '2', firstName: 'Ann' },
      { contactId: '3', firstName: 'Gone', deletedAt: 1 },
    ]);
    const response = await get('/api/customers');
    expect(response.headers.get('x-total-count')).toBe('2');
    expect(await response.json()).toEqual({
      data: {
        results: [
          { id: '2', properties: { firstname: 'Ann', lastname: '', email: '', phone: '', company: '' }, ...NO_DEBT },
          {
            id: '1',
            properties: { firstname: 'zoe', lastname: 'Bö', email: 'z@b.example', phone: '1', company: 'Acme' },
            ...NO_DEBT,
          },
        ],
      },
    });
  });

  it('returns only customers with an open invoice for open=1', async () => {
    const { get } = await makeMerchant();
    await addContacts(ACCOUNT_ID, [{ contactId: '1' }, { contactId: '2' }, { contactId: '3' }]);
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', contactId: '1', status: 'paid' },
      { invoiceId: '2', contactId: '2' },
      { invoiceId: '3', contactId: '3', localStatus: 'paid' },
    ]);
    const { data } = (await (await get('/api/customers?open=1&sort=-email')).json()) as Reply;
    expect(data.results.map(({ id }) => id)).toEqual(['2']);
  });

  it('returns the amount owed by each customer and its first due date, and filters by the amount owed', async () => {
    const { app, get } = await makeMerchant();
    await addContacts(ACCOUNT_ID, [{ contactId: '1' }, { contactId: '2' }, { contactId: '3' }]);
    // The days are two days away, so that they are past or future in every time zone.
    const day = (ahead: number) => new Date(app.deps.now() + ahead * 2 * 86_400_000).toISOString().slice(0, 10);
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', contactId: '1', balanceCents: 1250, dueDate: day(1) },
      { invoiceId: '2', contactId: '2', balanceCents: 700, dueDate: day(-1) },
      { invoiceId: '3', contactId: '2', balanceCents: 50, dueDate: day(1) },
    ]);
    const readCustomers = async (query: string) =>
      ((await (await get(`/api/customers?${query}`)).json()) as Reply).data.results;
    expect(await readCustomers('sort=-owed')).toMatchObject([
      { id: '1', owed: '12.50', first_due: day(1) },
      { id: '2', owed: '7.50', first_due: day(-1) },
      { id: '3', ...NO_DEBT },
    ]);
    expect((await readCustomers('owed=owes')).map(({ id }) => id)).toEqual(['1', '2']);
    expect((await readCustomers('owed=overdue')).map(({ id }) => id)).toEqual(['2']);
    expect((await get('/api/customers?owed=open')).status).toBe(422);
    expect(await (await get('/api/customers?format=csv&owed=overdue')).text()).toContain(`"7.50","no","${day(-1)}",""`);
  });

  it('returns errors in both the CRM’s envelope and our own', async () => {
    const { app, get } = await makeMerchant();
    const message = 'The list cannot be shown in this way.';
    const invalidResponse = await get('/api/customers?sort=firstname&open=yes');
    expect([invalidResponse.status, await invalidResponse.json()]).toEqual([
      422,
      { status: 'error', data: { message }, error: { code: 'invalid', message, fields: ['open', 'sort'] } },
    ]);
    const loggedOut = await app.request('/api/customers');
    const body = { status: 'error', data: { message: 'Please log in again.' }, error: { code: 'unauthorized' } };
    expect([loggedOut.status, await loggedOut.json()]).toMatchObject([401, body]);
    await env.DB.prepare('UPDATE sessions SET revoked_at = 1').run();
    expect(await (await get('/api/customers')).json()).toMatchObject(body);
  });

  it('returns customers as CSV, with formulas escaped and the readable part of what they owe', async () => {
    const { get } = await makeMerchant();
    await addContacts(ACCOUNT_ID, [
      { contactId: '1', firstName: '=A()', lastName: 'B', email: '@c', phone: '+1 317', company: '-d' },
      { contactId: '2', firstName: 'Marta' },
    ]);
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', contactId: '2', balanceCents: 18_400 },
      { invoiceId: '2', contactId: '2', balanceCents: null },
    ]);
    const response = await get('/api/customers?format=csv');
    expect(response.headers.get('content-disposition')).toMatch(/filename="customers-/);
    expect((await response.text()).split('\r\n')).toEqual([
      '"Name","Email","Phone","Company","Owed","Amount Unreadable","First Due Date","Last Paid"',
      `"'=A() B","'@c","'+1 317","'-d","0.00","no","",""`,
      expect.stringMatching(/^"Marta.*","184\.00","yes",/),
      '',
    ]);
  });
});
