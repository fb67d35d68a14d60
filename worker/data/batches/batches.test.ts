import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db, rowsOf } from '#tests/support/unit/rows';
import type { GatewayBatch } from '#worker/vendors/gateway-port';
import { findMerchantNumber, findOldestUnfunded, listOpenTerminals, saveBatches, saveDeposits } from './batches.ts';

const terminal = { accountId: ACCOUNT, terminalId: 't1' };
const makeBatch = (overrides: Partial<GatewayBatch> = {}): GatewayBatch => ({
  id: '7',
  status: 'open',
  terminalId: 't1',
  terminalName: '',
  openedAt: 5,
  settledAt: null,
  salesCount: 1,
  salesCents: 100,
  refundCount: 0,
  refundCents: 0,
  netCents: 100,
  confirmationCode: '',
  ...overrides,
});
const readBatches = () => rowsOf('SELECT * FROM batches ORDER BY batch_id');

beforeEach(() => addClinic({}, 't1', 't2'));

describe('saving the batches of a terminal', () => {
  it('writes each batch as the gateway shows it', async () => {
    await saveBatches(db, terminal, [
      makeBatch(),
      makeBatch({ id: '8', status: 'closed', settledAt: 9, netCents: null }),
    ]);
    expect(await readBatches()).toMatchObject([
      {
        account_id: ACCOUNT,
        terminal_id: 't1',
        batch_id: '7',
        status: 'open',
        opened_at: 5,
        settled_at: null,
        net_cents: 100,
      },
      { batch_id: '8', status: 'closed', settled_at: 9, net_cents: null },
    ]);
  });

  it.each([
    ['status', { status: 'closed' as const }, { status: 'closed' }],
    ['time of settlement', { settledAt: 9 }, { settled_at: 9 }],
    ['net amount', { netCents: 101 }, { net_cents: 101 }],
    ['net amount, which is no longer known,', { netCents: null }, { net_cents: null }],
    ['confirmation code', { confirmationCode: 'GB7' }, { confirmation_code: 'GB7' }],
  ])('updates a batch when only its %s changed', async (_title, change, row) => {
    await saveBatches(db, terminal, [makeBatch()]);
    await saveBatches(db, terminal, [makeBatch({ ...change, openedAt: 6 })]);
    expect(await readBatches()).toMatchObject([{ ...row, opened_at: 6 }]);
  });

  it('writes nothing when none of these fields changed', async () => {
    await saveBatches(db, terminal, [makeBatch({ settledAt: 9 }), makeBatch({ id: '8' })]);
    await saveBatches(db, terminal, [makeBatch({ settledAt: 9, openedAt: 6 }), makeBatch({ id: '8', openedAt: 6 })]);
    expect(await readBatches()).toMatchObject([{ opened_at: 5 }, { opened_at: 5 }]);
  });

  it('sends no query without batches', async () => {
    await expect(saveBatches({} as typeof db, terminal, [])).resolves.toBeUndefined();
  });
});

it('lists terminals with a batch that is not closed or a close that has not ended', async () => {
  const closes = ['sent', 'unknown', 'processing', 'closed', 'failed'];
  await add('terminals', ...closes.map((state) => ({ terminal_id: state })));
  await add('batches', { terminal_id: 't1', status: 'open' }, { terminal_id: 't2', status: 'closed' });
  await add('batch_closes', ...closes.map((state) => ({ terminal_id: state, state })));
  expect((await listOpenTerminals(db, ACCOUNT)).sort()).toEqual(['processing', 'sent', 't1', 'unknown']);
});

describe('batches without a payout', () => {
  const makeClosedBatch = (batch_id: string, settled_at: number, overrides = {}) => ({
    terminal_id: 't1',
    batch_id,
    status: 'closed',
    settled_at,
    ...overrides,
  });

  it('begin with the oldest closed batch that settled after a given time', async () => {
    await add('batches', makeClosedBatch('1', 100), makeClosedBatch('2', 104, { status: 'open' }));
    await add(
      'batches',
      makeClosedBatch('3', 105, { funded_on: '2026-03-05' }),
      makeClosedBatch('4', 120),
      makeClosedBatch('5', 110),
    );
    expect(await findOldestUnfunded(db, ACCOUNT, 100)).toBe(110);
    expect(await findOldestUnfunded(db, ACCOUNT, 99)).toBe(100);
    expect(await findOldestUnfunded(db, ACCOUNT, 120)).toBeNull();
  });

  it('get their deposit once, by batch and terminal, and none while they are open', async () => {
    await add(
      'batches',
      makeClosedBatch('1', 1),
      makeClosedBatch('2', 1),
      makeClosedBatch('3', 1, { terminal_id: 't2' }),
    );
    await add(
      'batches',
      makeClosedBatch('4', 1, { status: 'open' }),
      makeClosedBatch('5', 1, { funded_on: '2026-03-01' }),
    );
    const makeDeposit = (batchId: string) => ({ batchId, terminalId: 't1', fundedOn: '2026-03-05', depositCents: 950 });
    await saveDeposits(db, ACCOUNT, ['1', '3', '4', '5'].map(makeDeposit));
    const funded = await rowsOf('SELECT batch_id, funded_on, deposit_cents FROM batches WHERE funded_on IS NOT NULL');
    expect(funded).toEqual([
      { batch_id: '1', funded_on: '2026-03-05', deposit_cents: 950 },
      { batch_id: '5', funded_on: '2026-03-01', deposit_cents: null },
    ]);
  });
});

it('returns the merchant’s number, or null without a merchant', async () => {
  expect(await findMerchantNumber(db, ACCOUNT)).toBeNull();
  await add('merchants', { merchant_number: '6588000000' });
  expect(await findMerchantNumber(db, ACCOUNT)).toBe('6588000000');
});
