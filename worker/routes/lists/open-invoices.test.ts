import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { hubs } from '#sandbox/credentials';
import { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { addContacts, addInvoices } from '#tests/support/unit/lists';

const ACCOUNT_ID = hubs[0].hubId;
const DAY = 86_400_000;

async function makeMerchant() {
  const clock = { now: Date.now() };
  const app = makeApp({ now: () => clock.now });
  const { token } = await logIn(app, 0);
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  const listOpenInvoices = async (query = '') => {
    const response = await get(`/api/invoices/getOpenInvoices${query}`);
    expect(response.status).toBe(200);
    return z.array(OpenInvoiceItem).parse(await response.json());
  };
  return { app, clock, get, open: listOpenInvoices };
}

const readLinks = async () =>
  (await env.DB.prepare('SELECT * FROM pay_links ORDER BY issued_at, rowid').all<Record<string, unknown>>()).results;

describe('GET /api/invoices/getOpenInvoices', () => {
  it('lists open and paid invoices with all screen fields, without drafts or invoices voided in the CRM', async () => {
    const { open } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      {
        invoiceId: '1',
        number: 'INV-1',
        balanceCents: 18_400,
        dueDate: '2026-02-01',
        contactFirstName: 'Marta',
        contactLastName: 'Núñez',
        contactEmail: 'marta@example.test',
        contactId: '70',
        companyName: 'Studio',
      },
      { invoiceId: '2', number: 'INV-2', status: 'paid', balanceCents: 0, dueDate: '2026-01-01' },
      { invoiceId: '3', number: 'INV-3', localStatus: 'paid', balanceCents: 700, dueDate: '2025-12-01' },
      { invoiceId: '4', status: 'draft' },
      { invoiceId: '5', status: 'voided' },
      { invoiceId: '6', deletedAt: 1 },
      { invoiceId: '7', status: 'draft', localStatus: 'refunded', balanceCents: null },
    ]);
    const [first, ...others] = await open();
    expect(first).toEqual({
      id: expect.stringMatching(/^1-[\w-]{27}-[\w-]{16}$/),
      crm_id: '1',
      invoice_number: 'INV-1',
      company: { name: 'Studio' },
      customer: { first_name: 'Marta', last_name: 'Núñez' },
      customer_id: '70',
      amount_due: '184.00',
      currency: 'USD',
      due_date: '2026-02-01',
      status: 'open',
      crm_status: 'open',
      refunded: '0.00',
      part_paid: '0.00',
      is_undecided: false,
      email: 'marta@example.test',
      last_email: null,
      never_emailed: false,
      opened_at: null,
      bad_address: null,
      next_reminder_at: null,
      link_ends_at: expect.stringMatching(/^20/),
    });
    expect(
      others.map(({ crm_id, status, crm_status, amount_due }) => [crm_id, status, crm_status, amount_due]),
    ).toEqual([
      ['2', 'paid', 'paid', '0.00'],
      ['3', 'paid', 'open', '0.00'],
      ['7', 'refunded', 'draft', null],
    ]);
  });

  it('creates a stable live link for each invoice on the page, and for no other', async () => {
    const { open, clock } = await makeMerchant();
    await addInvoices(
      ACCOUNT_ID,
      Array.from({ length: 12 }, (_, index) => ({ invoiceId: String(index + 1), dueDate: '2026-04-01' })),
    );
    const page = await open('?size=5&sort=invoice_number');
    expect(new Set(page.map(({ id }) => id)).size).toBe(5);
    expect(await readLinks()).toHaveLength(5);
    // Viewing the list is not recorded as a staff action.
    const { results: events } = await env.DB.prepare(
      "SELECT DISTINCT actor_kind FROM audit_events WHERE action = 'link.issued'",
    ).all();
    expect(events).toEqual([{ actor_kind: 'system' }]);
    expect(await open('?size=5&sort=invoice_number')).toEqual(page);
    expect(await readLinks()).toHaveLength(5);
    expect(Date.parse(page[0]?.link_ends_at ?? '')).toBe(
      Math.max(Date.parse('2026-04-01T23:59:59Z'), clock.now) + 30 * DAY,
    );
  });

  it('replaces an expired link and leaves the others unchanged', async () => {
    const { open, clock } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', number: 'A' },
      { invoiceId: '2', number: 'B' },
    ]);
    const rowsBefore = await open('?sort=invoice_number');
    await env.DB.prepare('UPDATE pay_links SET ends_at = ? WHERE invoice_id = ?').bind(clock.now, '1').run();
    const rowsAfter = await open('?sort=invoice_number');
    expect(rowsAfter[0]?.id).not.toBe(rowsBefore[0]?.id);
    expect(rowsAfter[1]).toEqual(rowsBefore[1]);
    expect((await readLinks()).map(({ invoice_id, state }) => `${invoice_id} ${state}`).sort()).toEqual([
      '1 ended',
      '1 live',
      '2 live',
    ]);
  });

  it('shows one live link per invoice under concurrent requests', async () => {
    const { open } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [{ invoiceId: '1' }, { invoiceId: '2' }]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => open('?sort=amount_due')));
    expect(new Set(answers.map((rows) => rows.map(({ id }) => id).join(' '))).size).toBe(1);
    expect(await readLinks()).toHaveLength(2);
  });

  it('filters by customer or status without a CRM request', async () => {
    const { open, app } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', contactId: '7' },
      { invoiceId: '2', contactId: '7', status: 'paid' },
      { invoiceId: '3', contactId: '8' },
    ]);
    const crmRequestCount = async () =>
      ((await (await fetch(`${app.sandboxUrl}/_sandbox/requests`)).json()) as { path: string }[]).length;
    const previousRequestCount = await crmRequestCount();
    const ids = async (query: string) => (await open(query)).map(({ crm_id }) => crm_id).sort();
    expect(await ids('?contact=7')).toEqual(['1', '2']);
    expect(await ids('?contact=7&status=open')).toEqual(['1']);
    expect(await ids('?status=paid')).toEqual(['2']);
    expect(await crmRequestCount()).toBe(previousRequestCount);
  });

  it('exports refunded and submitted invoices as CSV, without links', async () => {
    const { get, open } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', number: 'INV-1', localStatus: 'refunded', balanceCents: 100 },
      { invoiceId: '2', number: '=INV', localStatus: 'submitted', contactLastName: 'Bö', contactEmail: '+a@b.example' },
    ]);
    const [row] = await open();
    const text = await (await get('/api/invoices/getOpenInvoices?format=csv&sort=status')).text();
    expect(text.split('\r\n').slice(1, 3)).toEqual([
      '"INV-1","","","1.00","","","","USD","","refunded","open","","","","","","",""',
      `"'=INV","","Bö","","","","","USD","","submitted","open","'+a@b.example","","","","","",""`,
    ]);
    expect(text).not.toContain(row?.id);
  });

  it('exports the billed and paid amounts and the day of a payment made here or in the CRM', async () => {
    const { get } = await makeMerchant();
    const evening = Date.parse('2026-03-05T03:30:00Z');
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', number: 'INV-1', localStatus: 'paid', billedCents: 18_400, balanceCents: 0 },
      { invoiceId: '2', number: 'INV-2', status: 'paid', billedCents: 5_000, balanceCents: 0, paidAt: evening },
      { invoiceId: '3', number: 'INV-3', billedCents: 700, balanceCents: 700 },
    ]);
    const money = { account_id: ACCOUNT_ID, invoice_id: '1', currency: 'USD' };
    await insertRow(env.DB, 'payment_attempts', { ...money, id: 'a', receipt_id: 'a', state: 'approved' });
    const entry = { ...money, attempt_id: 'a', method: 'card', channel: 'link', brand: 'VISA', at: evening };
    for (const [kind, cents, day] of [
      ['payment', 18_400, '2026-03-04'],
      ['refund', -3_000, '2026-03-06'],
    ] as const)
      await insertRow(env.DB, 'ledger', { ...entry, provider_txn_id: kind, kind, amount_cents: cents, day });
    const text = await (await get('/api/invoices/getOpenInvoices?format=csv&sort=invoice_number')).text();
    const columns = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(4, 7).join());
    expect(columns).toEqual([
      '"Amount Billed","Amount Paid","Paid On"',
      '"184.00","154.00","2026-03-04"',
      '"50.00","50.00","2026-03-04"',
      '"7.00","",""',
    ]);
  });
});

describe('GET /api/invoices/getCustomer/{id}', () => {
  it('returns the customer of an invoice by CRM id or pay id, and no customer of another account', async () => {
    const { get, open } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', contactId: '7', contactFirstName: 'Old', companyName: 'Studio' },
      { invoiceId: '2', contactId: '9', contactFirstName: 'Ann', contactEmail: 'ann@b.example' },
      { invoiceId: '3' },
      { invoiceId: '5', deletedAt: 1 },
    ]);
    await addContacts(ACCOUNT_ID, [
      { contactId: '7', firstName: 'Marta', lastName: 'Núñez', email: 'm@b.example', phone: '1' },
    ]);
    await env.DB.prepare(
      "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (999, 'Other', 'o', 'UTC', 0)",
    ).run();
    await addInvoices(999, [{ invoiceId: '1', contactFirstName: 'Foreign' }, { invoiceId: '4' }]);
    await env.DB.prepare(
      "INSERT INTO pay_links (pay_id, account_id, invoice_id, state, issued_at, ends_at) VALUES ('foreign-link', 999, '1', 'live', 0, 9999999999999)",
    ).run();
    const customer = async (id: string) => (await get(`/api/invoices/getCustomer/${id}`)).json();
    const marta = { firstname: 'Marta', lastname: 'Núñez', email: 'm@b.example', phone: '1', company: 'Studio' };
    expect(await customer('1')).toEqual({ results: [{ id: '7', properties: marta }] });
    expect(await customer('2')).toMatchObject({ results: [{ id: '9', properties: { firstname: 'Ann' } }] });
    expect(await customer('3')).toEqual({ results: [] });
    const rows = await open();
    for (const crmId of ['1', '2']) {
      const payId = rows.find(({ crm_id }) => crm_id === crmId)?.id;
      expect(payId).toMatch(/^[\w-]{20,}$/);
      expect(await customer(payId ?? '')).toEqual(await customer(crmId));
    }
    for (const id of ['4', '5', 'foreign-link', '1%27%20OR%201=1', '0']) {
      const refusal = await get(`/api/invoices/getCustomer/${id}`);
      expect([refusal.status, await refusal.json()]).toEqual([
        404,
        { error: { code: 'not-found', message: 'No invoice found' } },
      ]);
    }
  });
});
