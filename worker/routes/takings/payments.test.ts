import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { PaymentListReply } from '#shared/contracts/payments/payment-list';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';

const ACCOUNT_ID = hubs[0].hubId;
const AT = Date.parse('2026-03-04T20:05:00Z');
const DAY = '2026-03-04';

/** Logs in staff of a clinic that has one payment of 100.00 in its ledger, and another that was voided. */
async function makeClinicWithPayments() {
  const app = makeApp();
  const { token } = await logIn(app, 0);
  const d1 = app.deps.db.$client;
  const row = (table: string, values: Record<string, string | number>) =>
    insertRow(d1, table, { account_id: ACCOUNT_ID, ...values });
  for (const id of ['kept', 'voided']) {
    await row('payment_attempts', {
      id,
      receipt_id: id,
      invoice_id: id,
      invoice_number: `INV-${id}`,
      payer_first_name: '=Marta',
      card_last_four: '1111',
      state: id === 'kept' ? 'approved' : 'voided',
      channel: 'link',
      method: 'card',
      amount_cents: 10_000,
    });
    const entry = { attempt_id: id, invoice_id: id, currency: 'USD', method: 'card', brand: 'Visa', at: AT, day: DAY };
    await row('ledger', { ...entry, provider_txn_id: `txn-${id}`, kind: 'payment', amount_cents: 10_000 });
    if (id === 'voided')
      await row('ledger', { ...entry, provider_txn_id: 'void', kind: 'void', amount_cents: -10_000 });
  }
  const get = (query: string) => app.request(`/api/payments${query}`, { headers: bearer(token) });
  const readExportEvents = async () =>
    (await d1.prepare("SELECT after FROM audit_events WHERE action = 'list.exported'").all()).results;
  return { app, get, exports: readExportEvents };
}

describe('GET /api/payments', () => {
  it('returns the rows of a period with their totals, and paging details in the headers', async () => {
    const { get } = await makeClinicWithPayments();
    const response = await get(`?day=${DAY}..${DAY}&size=1&page=2&sort=at`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-total-count')).toBe('2');
    expect(response.headers.get('x-page-count')).toBe('2');
    const body = PaymentListReply.parse(await response.json());
    expect(body).toMatchObject({
      payments: [{ id: 'txn-voided', status: 'voided', amount: '100.00', counted: '0.00', can_go_back: false }],
      period: { from: DAY, to: DAY },
      totals: {
        payments: { count: 1, amount: '100.00' },
        voided: 1,
        refunds: { count: 0, amount: '0.00' },
        net: '100.00',
        on_its_way: { count: 0, amount: '0.00' },
      },
      unknown: { count: 0, amount: '0.00' },
    });
  });

  it('exports all rows as CSV with local times and amounts that add up, and records the export', async () => {
    const { app, get, exports } = await makeClinicWithPayments();
    // It is still March 4 in Indiana.
    app.deps.now = () => Date.parse('2026-03-05T02:30:00Z');
    const response = await get(`?day=${DAY}..${DAY}&sort=at&format=csv`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="payments-2026-03-04.csv"');
    const monthResponse = await get('?day=2026-02-01..2026-02-28&format=csv');
    expect(monthResponse.headers.get('content-disposition')).toBe(
      'attachment; filename="payments-2026-02-01-to-2026-02-28.csv"',
    );
    await monthResponse.text();
    const [header, ...rows] = (await response.text()).trimEnd().split('\r\n');
    expect(header).toContain(
      '"Date","Time","Status","Customer","Payer","Invoice Number","Amount","Amount Voided","Amount On Its Way","Amount Returned"',
    );
    expect(rows).toEqual([
      `"${DAY}","15:05","Paid","","'=Marta","INV-kept","100.00","","","","USD","Card","Visa 1111","Online","","","txn-kept","kept"`,
      `"${DAY}","15:05","Voided","","'=Marta","INV-voided","0.00","100.00","","","USD","Card","Visa 1111","Online","","","txn-voided","voided"`,
    ]);
    expect(await exports()).toEqual([
      { after: `{"from":"${DAY}","to":"${DAY}","rows":2}` },
      { after: '{"from":"2026-02-01","to":"2026-02-28","rows":0}' },
    ]);
  });

  it('lists and exports only the payments of the requested card reader', async () => {
    const { app, get } = await makeClinicWithPayments();
    const atReader = "UPDATE payment_attempts SET channel = 'terminal', terminal_id = 'front-1' WHERE id = 'kept'";
    await app.deps.db.$client.prepare(atReader).run();
    const query = `?day=${DAY}..${DAY}&terminal=front-1`;
    const body = PaymentListReply.parse(await (await get(query)).json());
    expect(body.payments.map(({ id }) => id)).toEqual(['txn-kept']);
    expect(body.totals).toMatchObject({ payments: { count: 1 }, voided: 0 });
    const [, ...rows] = (await (await get(`${query}&format=csv`)).text()).trimEnd().split('\r\n');
    expect(rows).toHaveLength(1);
  });

  it('exports a pending bank payment as 0.00, with its amount in a separate column', async () => {
    const { app, get } = await makeClinicWithPayments();
    await insertRow(app.deps.db.$client, 'payment_attempts', {
      account_id: ACCOUNT_ID,
      id: 'way',
      receipt_id: 'way',
      invoice_id: 'way',
      invoice_number: 'INV-way',
      state: 'pending',
      channel: 'link',
      method: 'ach',
      amount_cents: 115_255,
      currency: 'USD',
      provider_txn_id: 'txn-way',
      created_at: AT + 60_000,
      day: DAY,
    });
    const [, ...rows] = (await (await get(`?day=${DAY}..${DAY}&format=csv`)).text()).trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toBe(
      `"${DAY}","15:06","Submitted","","","INV-way","0.00","","1152.55","","USD","Bank account","","Online","","","txn-way","way"`,
    );
  });

  it.each([
    ['a period of more than 366 days', '?day=2025-03-03..2026-03-04'],
    ['a period that ends before it begins', '?day=2026-03-04..2026-03-03'],
    ['a day that does not exist', '?day=2026-02-30..'],
    ['an unknown status', '?status=lost'],
    ['an unknown order', '?sort=amount'],
  ])('refuses %s', async (_case, query) => {
    const { get } = await makeClinicWithPayments();
    for (const format of ['', '&format=csv']) expect((await get(`${query}${format}`)).status).toBe(422);
  });

  it('shows the last 30 days of the clinic if no period is given', async () => {
    const { get } = await makeClinicWithPayments();
    const { period } = PaymentListReply.parse(await (await get('')).json());
    expect((Date.parse(period.to) - Date.parse(period.from)) / 86_400_000).toBe(29);
  });
});
