import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db } from '#tests/support/unit/rows';
import { readDay } from './day.ts';

const HOUR = 3_600_000;
const DAY = '2026-03-09';
const MIDNIGHT = Date.parse(DAY);
/** The start of the day (UTC ms) in a zone five hours behind UTC, and in one eight hours ahead of it. */
const [WEST, EAST] = [MIDNIGHT + 5 * HOUR, MIDNIGHT - 8 * HOUR];
const NOON = WEST + 12 * HOUR;

const readPaidElsewhere = async (from = WEST) =>
  (await readDay(db, { accountId: ACCOUNT, day: DAY, weekBefore: '2026-03-02', from, to: from + 24 * HOUR - 1 }))
    .paidElsewhere;
const addInvoice = (invoice_id: string, overrides: Record<string, unknown> = {}) =>
  add('invoices', { invoice_id, status: 'paid', currency: 'USD', paid_at: NOON, billed_cents: 500, ...overrides });

beforeEach(() => addClinic());

it.each(['voided', 'refunded', 'returned'])(
  'an invoice counts as paid elsewhere after its money was %s',
  async (state) => {
    await addInvoice('i1');
    await addPayment('p1', { invoice_id: 'i1', state });
    await addEntry('p1', { at: NOON + 5 });
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', at: NOON - 2 });
    await addEntry('p1', { provider_txn_id: 'b2', kind: 'void', at: NOON - 1 });
    expect((await readPaidElsewhere()).count).toBe(1);
  },
);

it.each([
  ...['declined', 'rejected', 'not_charged', 'cancelled', 'timed_out'].map((state) => ({ state, count: 1 })),
  ...['sent', 'unknown', 'pending', 'needs_human', 'approved'].map((state) => ({ state, count: 0 })),
])('$count invoices with an attempt here that is $state count as paid elsewhere', async ({ state, count }) => {
  await addInvoice('i1');
  await addPayment('p1', { invoice_id: 'i1', state });
  expect((await readPaidElsewhere()).count).toBe(count);
});

it('an invoice counts as paid elsewhere regardless of other invoices’ payments', async () => {
  await addInvoice('i1');
  await addPayment('p1', { invoice_id: 'i1', state: 'refunded' });
  await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', at: NOON - 1 });
  await addPayment('p2');
  await addEntry('p2', { provider_txn_id: 'b2', kind: 'refund', at: NOON + 1 });
  expect((await readPaidElsewhere()).count).toBe(1);
});

describe('invoices paid elsewhere', () => {
  it.each([
    ['was paid on that day', {}, 1],
    ['is open', { status: 'open' }, 0],
    ['is in another currency', { currency: 'CAD' }, 0],
    ['is deleted', { deleted_at: 1 }, 0],
    ['has no time of payment', { paid_at: null }, 0],
  ])('include only paid invoices in USD: an invoice that %s', async (_title, overrides, count) => {
    await addInvoice('i1', overrides);
    expect(await readPaidElsewhere()).toEqual({ count, cents: count === 0 ? null : 500 });
  });

  it.each([
    ['at its start', WEST, WEST, 1],
    ['at its end', WEST, WEST + 24 * HOUR - 1, 1],
    ['right before it', WEST, WEST - 1, 0],
    ['right after it', WEST, WEST + 24 * HOUR + 1, 0],
    ['on that day without a time', WEST, MIDNIGHT, 1],
    ['on the next day without a time', WEST, MIDNIGHT + 24 * HOUR, 0],
    ['at its start, in the east', EAST, EAST, 1],
    ['on that day without a time, in the east', EAST, MIDNIGHT, 1],
    ['on the next day without a time, in the east', EAST, MIDNIGHT + 24 * HOUR, 0],
    ['right after midnight', WEST, MIDNIGHT + 1, 0],
  ])('include only those paid on the clinic’s day: an invoice paid %s', async (_title, from, paid_at, count) => {
    await addInvoice('i1', { paid_at });
    expect((await readPaidElsewhere(from)).count).toBe(count);
  });

  it('come with their total, without those that have no amount', async () => {
    await addInvoice('i1');
    await addInvoice('i2', { billed_cents: 300 });
    await addInvoice('i3', { billed_cents: null });
    expect(await readPaidElsewhere()).toEqual({ count: 3, cents: 800 });
  });

  it('come without a total when no amount can be read', async () => {
    await addInvoice('i1', { billed_cents: null });
    expect(await readPaidElsewhere()).toEqual({ count: 1, cents: null });
  });
});

describe('an invoice with an attempt here', () => {
  beforeEach(() => addInvoice('i1'));
  const addAttempt = (state: string) => addPayment('p1', { invoice_id: 'i1', state });

  it.each([
    ['declined', 1],
    ['rejected', 1],
    ['not_charged', 1],
    ['cancelled', 1],
    ['timed_out', 1],
    ['approved', 0],
    ['pending', 0],
    ['unknown', 0],
    ['needs_human', 0],
  ])('counts as paid elsewhere depending on the attempt: %s gives %i', async (state, count) => {
    await addAttempt(state);
    expect((await readPaidElsewhere()).count).toBe(count);
  });

  it('counts as paid elsewhere only after the last of its money was returned', async () => {
    await addAttempt('refunded');
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', at: NOON - 1 });
    await addEntry('p1', { provider_txn_id: 'b2', kind: 'refund', at: NOON });
    expect((await readPaidElsewhere()).count).toBe(0);
  });
});
