import { expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { listHeaders } from '#shared/contracts/lists/list-values';
import type { Owed } from '#shared/contracts/payments/pay-links';
import type { Today } from '#shared/contracts/payments/today';
import { addDays } from '#shared/text/local-day';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { addContacts, addInvoices, type InvoiceSeed } from '#tests/support/unit/lists';

const NOW = Date.UTC(2026, 2, 4, 17);
const TODAY = '2026-03-04';

/** Invoices of all kinds. Each affects one of the counts. */
const seeds: Omit<InvoiceSeed, 'invoiceId'>[] = [
  { balanceCents: 18_400, dueDate: addDays(TODAY, -1), contactId: 'late' },
  { balanceCents: 18_400, dueDate: addDays(TODAY, -45), contactId: 'late' },
  { balanceCents: 7_100, dueDate: addDays(TODAY, -400), contactId: 'late' },
  { balanceCents: 4_000, dueDate: TODAY, contactId: 'owes' },
  { balanceCents: 4_000, dueDate: addDays(TODAY, 30), contactId: 'owes' },
  { balanceCents: 4_000, dueDate: null },
  // These are not owed: no balance is left, the currency differs, or the balance is unreadable.
  { balanceCents: 0, dueDate: addDays(TODAY, -3), contactId: 'free' },
  { balanceCents: 9_000, dueDate: addDays(TODAY, -3), currency: 'EUR', contactId: 'free' },
  { balanceCents: null, dueDate: addDays(TODAY, -3), contactId: 'free' },
  { status: 'paid', balanceCents: 0 },
  { localStatus: 'paid', balanceCents: 700 },
  { localStatus: 'refunded', balanceCents: null },
  { localStatus: 'submitted', balanceCents: 900 },
  { status: 'draft' },
  { status: 'voided' },
  { deletedAt: 1 },
];

async function makeMerchant() {
  const app = makeApp({ now: () => NOW });
  const { token } = await logIn(app, 0);
  const accountId = hubs[0].hubId;
  await addInvoices(
    accountId,
    seeds.map((seed, index) => ({ ...seed, invoiceId: String(index + 1), number: `INV-${index + 1}` })),
  );
  await addContacts(
    accountId,
    ['late', 'owes', 'free', 'nobody'].map((contactId) => ({ contactId, firstName: contactId })),
  );
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  return {
    read: async <Body>(path: string) => (await get(path)).json() as Promise<Body>,
    /** The number of rows that a list shows for a query. */
    rowCount: async (path: string, search: string) =>
      Number((await get(`${path}?${search}`)).headers.get(listHeaders.total)),
  };
}

const INVOICES = '/api/invoices/getOpenInvoices';

it('every count on the dashboard, a tab or a filter equals the number of rows that its link shows', async () => {
  const { read, rowCount } = await makeMerchant();
  const { owed: dashboard, overdue } = await read<Today>('/api/today');
  const owedTotals = await read<Owed>('/api/owed');
  const counts: [label: string, count: number, list: string, search: string][] = [
    ['dashboard, Owed', dashboard.count, INVOICES, 'status=owed'],
    ['dashboard, Overdue', overdue.count, INVOICES, 'sort=due_date&status=overdue'],
    ['tab Overdue', owedTotals.overdue.count, INVOICES, 'status=overdue'],
    ['tab Due', owedTotals.due.count, INVOICES, 'status=due'],
    ['tab Paid', owedTotals.paid.count, INVOICES, 'status=paid'],
    ['tab All', owedTotals.all, INVOICES, ''],
    ...owedTotals.overdue.ages.map(({ days, count, from, to }): [string, number, string, string] => [
      `${days} days overdue`,
      count,
      INVOICES,
      `status=overdue&due_date=${from ?? ''}..${to}`,
    ]),
    ['All customers', owedTotals.customers.all, '/api/customers', ''],
    ['customers who owe', owedTotals.customers.owes, '/api/customers', 'owed=owes'],
    ['overdue customers', owedTotals.customers.overdue, '/api/customers', 'owed=overdue'],
  ];
  for (const [label, count, list, search] of counts) {
    expect(count, `${label} counts nothing, so it proves nothing`).toBeGreaterThan(0);
    expect(await rowCount(list, search), label).toBe(count);
  }
  expect(owedTotals.overdue.count + owedTotals.due.count).toBe(dashboard.count);
});
