import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db } from '#tests/support/unit/rows';
import { listUnsettledTransactions, oldestTimeOf } from './transaction-queries.ts';

const DAY_MS = 86_400_000;
const RANGE = { from: 100, before: 200, seenBefore: 300, limit: 10 };

beforeEach(() => addClinic({}, 't1', 't2'));

const addTxn = (id: string, overrides: Record<string, unknown> = {}) =>
  add('gateway_transactions', {
    provider_txn_id: id,
    method: 'card',
    state: 'approved',
    is_voided: 0,
    at: 150,
    seen_at: 250,
    terminal_id: 't1',
    batch_id: '7',
    ...overrides,
  });
const listIds = async (overrides: Partial<typeof RANGE> = {}) =>
  (await listUnsettledTransactions(db, ACCOUNT, { ...RANGE, ...overrides })).map(({ providerTxnId }) => providerTxnId);

it('lists each transaction with its terminal and time', async () => {
  await addTxn('a');
  expect(await listUnsettledTransactions(db, ACCOUNT, RANGE)).toEqual([
    { providerTxnId: 'a', terminalId: 't1', at: 150 },
  ]);
});

it.each([
  ['of a bank debit', { method: 'ach' }, false],
  ['that was declined', { state: 'declined' }, false],
  ['that was voided', { is_voided: 1 }, false],
  ['from right before the range', { at: 99 }, false],
  ['from the start of the range', { at: 100 }, true],
  ['from right before the end of the range', { at: 199 }, true],
  ['from the end of the range', { at: 200 }, false],
  ['seen right before the limit', { seen_at: 299 }, true],
  ['seen at the limit', { seen_at: 300 }, false],
])('lists only valid card charges of the time range: a charge %s', async (_title, overrides, isListed) => {
  await addTxn('a', overrides);
  expect(await listIds()).toEqual(isListed ? ['a'] : []);
});

it.each([
  ['closed, and the charge was seen more than a day later', { status: 'closed', settled_at: 0 }, DAY_MS + 1, false],
  ['closed, and the charge was seen within a day', { status: 'closed', settled_at: 0 }, DAY_MS, true],
  ['closed at an unknown time', { status: 'closed', settled_at: null }, DAY_MS + 1, true],
  ['open', { status: 'open', settled_at: 0 }, DAY_MS + 1, true],
  ['another batch', { batch_id: '8', status: 'closed', settled_at: 0 }, DAY_MS + 1, true],
  ['a batch of another terminal', { terminal_id: 't2', status: 'closed', settled_at: 0 }, DAY_MS + 1, true],
])('lists a charge depending on the stored batch, which is %s', async (_title, batch, seen_at, isListed) => {
  await add('batches', { terminal_id: 't1', batch_id: '7', ...batch });
  await addTxn('a', { seen_at });
  expect(await listIds({ seenBefore: 2 * DAY_MS })).toEqual(isListed ? ['a'] : []);
});

it('lists the charges seen longest ago first, up to a limit', async () => {
  await addTxn('c', { seen_at: 250 });
  await addTxn('b', { seen_at: 250 });
  await addTxn('a', { seen_at: 251 });
  expect(await listIds({ limit: 2 })).toEqual(['b', 'c']);
});

it('finds the oldest time of several charges, and null without charges', () => {
  const transactionAt = (at: number) => ({ providerTxnId: '', terminalId: '', at });
  expect(oldestTimeOf([transactionAt(5), transactionAt(3), transactionAt(4)])).toBe(3);
  expect(oldestTimeOf([transactionAt(5)])).toBe(5);
  expect(oldestTimeOf([])).toBeNull();
});
