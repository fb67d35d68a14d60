import { describe, expect, it } from 'vitest';
import { type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import type { GatewayBatch } from '#worker/vendors/gateway-port';

const DAY = 86_400_000;

const batch = (world: LedgerPair, overrides: Partial<GatewayBatch>): GatewayBatch => ({
  id: '7',
  status: 'open',
  terminalId: world.terminalId,
  terminalName: 'Web',
  openedAt: world.clock.now,
  settledAt: null,
  salesCount: 1,
  salesCents: 18_400,
  refundCount: 0,
  refundCents: 0,
  netCents: 18_400,
  confirmationCode: '',
  ...overrides,
});

/** Makes a payment that belongs to a batch. */
async function sellInBatch(world: LedgerPair) {
  const sale = await world.sell();
  Object.assign(sale.txn, { batchId: '7', terminalId: world.terminalId });
  return sale;
}

async function runNights(world: LedgerPair, count: number): Promise<void> {
  for (let night = 0; night < count; night++) {
    world.clock.now += DAY;
    await runNight(world);
  }
}

describe('a card payment voided when the nightly list no longer covers it', () => {
  it('is seen as voided while its batch is open', async () => {
    const world = await makeLedgerPair();
    const sale = await sellInBatch(world);
    const openBatch = batch(world, {});
    world.gateway.script.batches = () => [openBatch];
    await runNights(world, 30);
    sale.txn.isVoided = true;
    await runNights(world, 1);
    expect((await world.read(sale.id)).state).toBe('voided');
  });

  it('is seen as voided when the provider does not name its batch', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    await runNights(world, 6);
    sale.txn.isVoided = true;
    await runNights(world, 1);
    expect((await world.read(sale.id)).state).toBe('voided');
  });

  it('is seen as voided among more payments than are queried one by one', async () => {
    const world = await makeLedgerPair();
    const sales: Awaited<ReturnType<typeof sellInBatch>>[] = [];
    for (let sale = 0; sale < 25; sale++) sales.push(await sellInBatch(world));
    const openBatch = batch(world, {});
    world.gateway.script.batches = () => [openBatch];
    await runNights(world, 6);
    for (const { txn } of sales) txn.isVoided = true;
    await runNights(world, 1);
    for (const { id } of sales) expect((await world.read(id)).state).toBe('voided');
  });

  it('is seen as voided when it was voided between the last check and the batch close', async () => {
    const world = await makeLedgerPair();
    const sale = await sellInBatch(world);
    await runNights(world, 4);
    sale.txn.isVoided = true;
    const closedBatch = batch(world, { status: 'closed', settledAt: world.clock.now + 60_000 });
    world.gateway.script.batches = () => [closedBatch];
    await runNights(world, 2);
    expect((await world.read(sale.id)).state).toBe('voided');
  });
});

describe('a card payment in a settled batch', () => {
  it('is not queried again once it was seen after the settlement', async () => {
    const world = await makeLedgerPair();
    await sellInBatch(world);
    const closedBatch = batch(world, { status: 'closed', settledAt: world.clock.now });
    world.gateway.script.batches = () => [closedBatch];
    await runNights(world, 8);
    const lookups: unknown[] = [];
    const { find } = world.deps.gateway;
    world.deps.gateway = {
      ...world.deps.gateway,
      find: (...args) => {
        lookups.push(args);
        return find(...args);
      },
    };
    await runNights(world, 3);
    expect(lookups).toEqual([]);
  });
});
