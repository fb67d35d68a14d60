import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db, eventOf, readAuditActions, rowsOf } from '#tests/support/unit/rows';
import { markInvoiceReopened } from './reopened-invoices.ts';

const DAY_MS = 86_400_000;
const NOW = 2 * DAY_MS;

beforeEach(() => addClinic());

const addInvoice = (invoice_id: string, overrides: Record<string, unknown> = {}) =>
  add('invoices', {
    invoice_id,
    collection: 2,
    local_status: 'refunded',
    status: 'open',
    balance_cents: 500,
    ...overrides,
  });
const reopen = (collection = 2) =>
  markInvoiceReopened(db, { accountId: ACCOUNT, invoiceId: 'i1', collection }, NOW, eventOf('invoice.reopened'));
const readStored = () => rowsOf('SELECT collection, local_status FROM invoices ORDER BY invoice_id');

it.each(['voided', 'refunded', 'returned'])(
  'opens the next collection of an invoice whose money was %s',
  async (local_status) => {
    for (const id of ['i0', 'i1', 'i2']) await addInvoice(id, { local_status });
    expect(await reopen()).toMatchObject({ invoiceId: 'i1', collection: 3, localStatus: 'none' });
    const unchanged = { collection: 2, local_status };
    expect(await readStored()).toEqual([unchanged, { collection: 3, local_status: 'none' }, unchanged]);
    expect(await readAuditActions()).toEqual(['invoice.reopened']);
  },
);

it('skips a collection that a restore lost, because the gateway still has its charges and keys', async () => {
  await addInvoice('i1');
  await addPayment('p1', { invoice_id: 'i1', collection: 4, state: 'voided' });
  await addPayment('p2', { invoice_id: 'i2', collection: 9, state: 'voided' });
  expect(await reopen()).toMatchObject({ collection: 5 });
});

it('returns the reopened invoice to a second call without another event', async () => {
  await addInvoice('i1');
  await reopen();
  expect(await reopen()).toMatchObject({ collection: 3 });
  expect(await readStored()).toMatchObject([{ collection: 3 }]);
  expect(await readAuditActions()).toEqual(['invoice.reopened']);
});

it.each<[string, Record<string, unknown>]>([
  ['was paid', { local_status: 'paid' }],
  ['was not paid', { local_status: 'none' }],
  ['is at an earlier collection', { collection: 1 }],
  ['is in installments', { collection_base_cents: 500 }],
])('does not reopen an invoice that %s', async (_title, overrides) => {
  await addInvoice('i1', overrides);
  expect(await reopen()).toBeUndefined();
  expect(await readStored()).toMatchObject([
    overrides.local_status ? { collection: 2, ...overrides } : { local_status: 'refunded' },
  ]);
  expect(await readAuditActions()).toEqual([]);
});

it.each([
  ['is in manual review', { state: 'needs_human' }, false],
  ['was released within a day', { state: 'not_charged', settled_at: NOW - DAY_MS + 1 }, false],
  ['was released a day ago', { state: 'not_charged', settled_at: NOW - DAY_MS }, true],
  ['was declined', { state: 'declined' }, true],
])('reopens an invoice or waits when a payment %s', async (_title, payment, isReopened) => {
  await addInvoice('i1');
  await addPayment('p1', { invoice_id: 'i1', collection: 2, ...payment });
  expect((await reopen()) !== undefined).toBe(isReopened);
});

it('reopens no invoice that does not exist', async () => {
  expect(await reopen()).toBeUndefined();
});
