import { beforeEach, describe, expect, it } from 'vitest';
import { type BatchList, batch } from '#tests/support/unit/press-close';
import { ACCOUNT, addClinic, addEntry, addPayment } from '#tests/support/unit/rows';
import { depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { GatewayBatch, GatewayTransaction } from '#worker/vendors/gateway-port';
import { viewBatchReconciliation } from './view-reconciliation.ts';

const HOUR = 3_600_000;
const LAG = 1_000;

beforeEach(() => addClinic({ time_zone: 'UTC' }, 't1'));

const batchSeven = (overrides: Partial<GatewayBatch> = {}): GatewayBatch => ({
  ...batch('7'),
  openedAt: NOW - HOUR,
  ...overrides,
});
const sale = (id: string, cents: number, overrides: Partial<GatewayTransaction> = {}) =>
  refundOf({ id, attemptId: '', kind: 'SALE', amountCents: cents, batchId: '7', createdAt: NOW - HOUR, ...overrides });

/** Views the batch at a gateway that shows these lists, one after the other, and these transactions. */
async function viewBatch(
  lists: BatchList[],
  txns: GatewayTransaction[] | 'unavailable' = [],
  batchId = '7',
  terminalId = 't1',
) {
  let read = 0;
  const { deps } = depsWithGateway([]);
  const gateway = {
    ...deps.gateway,
    listBatches: async () => {
      if (read > 20) throw new Error('it reads without an end');
      return lists[Math.min(read++, lists.length - 1)] ?? [];
    },
    batchTransactions: async () => txns,
  };
  const settings = { ...deps.settings, SEARCH_LAG_MS: LAG };
  const result = await viewBatchReconciliation({ ...deps, gateway, settings } as Deps, ACCOUNT, terminalId, batchId);
  return { outcome: result, read, match: result.kind === 'match' ? result.match : undefined };
}

describe('a batch that cannot be shown', () => {
  it.each<[string, BatchList[], GatewayTransaction[] | 'unavailable', string, string, string]>([
    ['has an unknown terminal', [[batchSeven()]], [], '7', 't9', 'no-terminal'],
    ['is not listed', [[batchSeven()]], [], '8', 't1', 'no-batch'],
    ['is no longer listed', [[batchSeven()], [batch('8')]], [], '7', 't1', 'no-batch'],
    ['cannot be listed', ['unavailable'], [], '7', 't1', 'unavailable'],
    ['cannot be listed again', [[batchSeven()], 'unavailable'], [], '7', 't1', 'unavailable'],
    ['cannot be read', [[batchSeven()]], 'unavailable', '7', 't1', 'unavailable'],
  ])('%s', async (_title, lists, txns, batchId, terminalId, kind) => {
    expect((await viewBatch(lists, txns, batchId, terminalId)).outcome).toEqual({ kind });
  });
});

describe('the sums of a batch', () => {
  const txns = [
    sale('g1', 500),
    sale('g2', 300),
    sale('g3', 200, { kind: 'REFUND' }),
    sale('g4', 900, { isVoided: true }),
    sale('g5', 100, { state: 'other' }),
  ];

  it('are shown beside the sums of its lines', async () => {
    const { match } = await viewBatch([[batchSeven({ salesCents: 800, refundCents: 100, netCents: 600 })]], txns);
    expect(match?.sums).toEqual([
      { what: 'sales', lines: '8.00', batch: '8.00', agrees: true },
      { what: 'refunds', lines: '2.00', batch: '1.00', agrees: false },
      { what: 'net', lines: '6.00', batch: '6.00', agrees: true },
    ]);
  });

  it('are compared only if the gateway reports them', async () => {
    const { match } = await viewBatch([[batchSeven({ salesCents: null, refundCents: null, netCents: 1 })]], txns);
    expect(match?.sums).toEqual([{ what: 'net', lines: '6.00', batch: '0.01', agrees: false }]);
  });

  it('are read again when the batch changed during the read', async () => {
    const lists = [[batchSeven({ salesCount: 1 })], [batchSeven({ salesCount: 2 })], [batchSeven({ salesCount: 2 })]];
    const { match, read } = await viewBatch(lists, txns);
    expect([match?.sums.length, read]).toEqual([3, 3]);
  });

  it('are not compared when the batch changed at each of three reads', async () => {
    const { match, read } = await viewBatch(
      [1, 2, 3, 4, 5].map((salesCount) => [batchSeven({ salesCount })]),
      txns,
    );
    expect([match?.sums, read]).toEqual([[], 4]);
  });
});

describe('the lines of a batch', () => {
  const bookEntries = async (...moments: number[]) => {
    for (const [n, at] of moments.entries()) {
      await addPayment(`p${n}`, { terminal_id: 't1' });
      await addEntry(`p${n}`, { at });
    }
  };

  it('are ordered by time, including those that only our books have', async () => {
    await bookEntries(NOW - HOUR + 2);
    const gatewaySales = [sale('g3', 1, { createdAt: NOW - HOUR + 3 }), sale('g1', 1, { createdAt: NOW - HOUR + 1 })];
    const { match } = await viewBatch([[batchSeven()]], [...gatewaySales, sale('g0', 1, { createdAt: null })]);
    expect(match?.lines.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['g0', 'only-gateway'],
      ['g1', 'only-gateway'],
      ['txn-p0', 'only-ours'],
      ['g3', 'only-gateway'],
    ]);
    const onlyOurs = { type: '', amount: null, ours: '100.00', card: '', payer: '', customer: '', invoice: null };
    expect(match?.lines[2]).toMatchObject({ ...onlyOurs, at: new Date(NOW - HOUR + 2).toISOString() });
    expect(match?.lines[1]).toMatchObject({ type: 'SALE', amount: '0.01', ours: null, card: 'XXXXXXXXXXXX1111' });
  });

  it.each<[string, Partial<GatewayBatch>, number, boolean]>([
    ['when it was opened', {}, NOW - HOUR, true],
    ['right before it was opened', {}, NOW - HOUR - 1, false],
    ['when it was settled', { settledAt: NOW - 50 }, NOW - 50, true],
    ['right after it was settled', { settledAt: NOW - 50 }, NOW - 49, false],
    ['long enough ago to be listed', {}, NOW - LAG, true],
    ['so recently that it may not be listed yet', {}, NOW - LAG + 1, false],
    ['before now, if its opening time is unknown', { openedAt: null }, NOW - LAG, false],
  ])('include an entry of our books only from the time of the batch: %s', async (_title, overrides, at, isShown) => {
    await bookEntries(at);
    const { match } = await viewBatch([[batchSeven(overrides)]]);
    expect(match?.lines.map(({ id }) => id)).toEqual(isShown ? ['txn-p0'] : []);
  });
});
