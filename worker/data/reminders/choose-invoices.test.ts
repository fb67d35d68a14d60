import { describe, expect, it } from 'vitest';
import { makeListAccount } from '#tests/support/unit/lists';
import { collections } from '#worker/data/schema/invoices';
import { findSampleInvoice, planDay, readPortions } from './choose-invoices.ts';

const makeDueInvoice = (invoiceId: string, balanceCents = 100) => ({
  invoiceId,
  balanceCents,
  dueDate: '2026-03-01',
  contactEmail: 'marta@example.test',
});

describe('the number of invoices that a reminder step covers', () => {
  it('excludes invoices already reminded, without a balance, in another currency or frozen', async () => {
    const { db, accountId, now, addInvoices } = await makeListAccount();
    const portion = { step: 3, from: '2026-03-01', to: '2026-03-01', isLate: false };
    const count = async () =>
      (await readPortions(db, accountId, [portion], '2026-03-31', 1)).map(({ n, first }) => [n, first.length]);
    await addInvoices([
      makeDueInvoice('1'),
      makeDueInvoice('2'),
      makeDueInvoice('4', 0),
      { ...makeDueInvoice('5'), currency: 'EUR' },
      makeDueInvoice('6'),
    ]);
    await db.insert(collections).values({
      accountId,
      invoiceId: '6',
      n: 1,
      baseCents: 100,
      minCents: 10,
      maxParts: 2,
      crmBalanceCents: 100,
      openedBy: 1,
      openedAt: now,
      state: 'frozen',
      frozenBalanceCents: 90,
      frozenAt: now,
    });
    expect(await count()).toEqual([[2, 1]]);
    const plan = { accountId, steps: [3], doneDay: '', nextRunAt: now, waitUntil: 0, timeZone: 'UTC' };
    await planDay(db, plan, [portion], {
      day: '2026-03-04',
      recentAfter: '2026-03-01',
      skipBefore: 0,
      plannedAt: now,
      nextRunAt: now,
    });
    expect(await count()).toEqual([[0, 0]]);
    await addInvoices([makeDueInvoice('3')]);
    expect(await count()).toEqual([[1, 1]]);
  });
});

it('lists the first invoices of a reminder step, earliest due first', async () => {
  const { db, accountId, addInvoices } = await makeListAccount();
  await addInvoices([
    { ...makeDueInvoice('9'), number: 'INV-9', contactFirstName: 'Marta', contactLastName: 'Kowalski' },
    { ...makeDueInvoice('10'), number: 'INV-10' },
    { ...makeDueInvoice('11'), number: 'INV-11', dueDate: '2026-02-28' },
    { ...makeDueInvoice('12'), number: 'INV-12', dueDate: '2026-03-02' },
  ]);
  const portions = [
    { step: 3, from: '2026-02-28', to: '2026-03-01', isLate: false },
    { step: 7, from: '2026-03-02', to: '2026-03-03', isLate: false },
    { step: 9, from: '2026-03-04', to: '2026-03-04', isLate: false },
  ];
  const summaries = await readPortions(db, accountId, portions, '2026-03-31', 2);
  expect(summaries.map(({ n, first }) => [n, first.map(({ number }) => number)])).toEqual([
    [3, ['INV-11', 'INV-9']],
    [1, ['INV-12']],
    [0, []],
  ]);
  expect(summaries[0]?.first[1]).toEqual({
    invoiceId: '9',
    number: 'INV-9',
    firstName: 'Marta',
    lastName: 'Kowalski',
  });
});

it('reads no more names from the database than it returns, because D1 refuses long values', async () => {
  const { db, accountId, addInvoices } = await makeListAccount();
  await addInvoices(Array.from({ length: 60 }, (_, i) => makeDueInvoice(String(i + 1))));
  const nameLists: string[] = [];
  const { $client } = db;
  const batch = async (statements: D1PreparedStatement[]) => {
    const batchResults = await $client.batch<{ named: string }>(statements);
    nameLists.push(...batchResults.flatMap(({ results }) => results.map((row) => row.named)));
    return batchResults;
  };
  const client = new Proxy($client, {
    get: (target, key) => (key === 'batch' ? batch : Reflect.get(target, key).bind(target)),
  });
  const spiedDb = new Proxy(db, { get: (target, key) => (key === '$client' ? client : Reflect.get(target, key)) });
  const portion = { step: 3, from: '2026-03-01', to: '2026-03-01', isLate: false };
  const [summaries] = await readPortions(spiedDb, accountId, [portion], '2026-03-31', 20);
  expect([summaries?.n, summaries?.first.length]).toEqual([60, 20]);
  expect(nameLists.map((text) => (JSON.parse(text) as unknown[]).length)).toEqual([20]);
});

it('a sample is the next invoice that can still get every reminder, or else the latest invoice', async () => {
  const { db, accountId, addInvoices } = await makeListAccount();
  const open = { balanceCents: 100, contactEmail: 'marta@example.test' };
  const sample = () => findSampleInvoice(db, accountId, '2026-12-03', 1e6);
  await addInvoices([
    { ...open, invoiceId: '1', dueDate: '2026-11-02' },
    { ...open, invoiceId: '2', dueDate: '2026-11-29' },
  ]);
  expect(await sample()).toBe('2');
  await addInvoices([
    { ...open, invoiceId: '3', dueDate: '2026-12-24' },
    { ...open, invoiceId: '4', dueDate: '2026-12-03' },
  ]);
  expect(await sample()).toBe('4');
});
