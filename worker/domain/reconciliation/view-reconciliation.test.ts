import { describe, expect, it } from 'vitest';
import { gatewayOnlyTransaction, type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { viewBatchReconciliation } from './view-reconciliation.ts';

const batchOf = (world: LedgerPair, cents: number) => {
  world.gateway.script.batches = () => [
    {
      id: '7',
      status: 'closed',
      terminalId: world.terminalId,
      terminalName: 'Web',
      confirmationCode: 'C1',
      openedAt: 0,
      settledAt: world.clock.now + 1,
      salesCount: null,
      salesCents: cents,
      refundCount: null,
      refundCents: 0,
      netCents: cents,
    },
  ];
};

describe('a batch', () => {
  it('is shown line by line beside its own sums, and a sum that differs is marked', async () => {
    const world = await makeLedgerPair();
    const [first] = [await world.sell({ cents: 10_000 }), await world.sell({ cents: 2500 })];
    world.books.push(gatewayOnlyTransaction(world, { amountCents: 700 }));
    batchOf(world, 13_200);
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (outcome.kind !== 'match') throw new Error(outcome.kind);
    expect(outcome.match.lines.map(({ verdict, amount }) => [verdict, amount])).toEqual([
      ['matched', '100.00'],
      ['matched', '25.00'],
      ['only-gateway', '7.00'],
    ]);
    expect(outcome.match.lines[0]?.invoice?.id).toBe(first?.invoiceId);
    expect(outcome.match.sums.every(({ agrees }) => agrees)).toBe(true);
    batchOf(world, 12_000);
    const other = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (other.kind !== 'match') throw new Error(other.kind);
    expect(other.match.sums).toContainEqual({ what: 'net', lines: '132.00', batch: '120.00', agrees: false });
  });

  it('is read again when a payment joins it during the read, and shows no mismatch', async () => {
    const world = await makeLedgerPair();
    await world.sell({ cents: 10_000 });
    batchOf(world, 10_000);
    const { batchTransactions } = world.deps.gateway;
    let isFirstRead = true;
    world.deps.gateway.batchTransactions = async (...args) => {
      // A payment is made between the two answers of the gateway.
      if (isFirstRead) {
        await world.sell({ cents: 2500 });
        batchOf(world, 12_500);
      }
      isFirstRead = false;
      return batchTransactions(...args);
    };
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (outcome.kind !== 'match') throw new Error(outcome.kind);
    expect(outcome.match.sums).toContainEqual({ what: 'net', lines: '125.00', batch: '125.00', agrees: true });
  });

  it('is shown without a comparison of sums while it keeps changing', async () => {
    const world = await makeLedgerPair();
    let cents = 0;
    const { batchTransactions } = world.deps.gateway;
    batchOf(world, cents);
    world.deps.gateway.batchTransactions = async (...args) => {
      cents += 100;
      batchOf(world, cents);
      return batchTransactions(...args);
    };
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    expect(outcome).toMatchObject({ kind: 'match', match: { sums: [] } });
  });

  it('is hidden from other accounts', async () => {
    const [ownWorld, otherWorld] = [await makeLedgerPair(), await makeLedgerPair()];
    batchOf(ownWorld, 0);
    expect(await viewBatchReconciliation(ownWorld.deps, otherWorld.accountId, ownWorld.terminalId, '7')).toEqual({
      kind: 'no-terminal',
    });
  });
});
