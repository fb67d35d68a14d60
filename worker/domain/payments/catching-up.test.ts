import { describe, expect, it } from 'vitest';
import { type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { paymentForm } from '#tests/support/pay-form';
import { makeCounter } from '#tests/support/terminals';
import { reconciliationCursors } from '#worker/data/schema/schema';
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { reversePayment } from '#worker/domain/refunds/refund';
import { takePayment } from './take-payment.ts';

const MINUTE = 60_000;

const payByLink = (world: LedgerPair) => takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });

/** A world whose database has just been restored, an hour after a nightly run. */
async function makeRestoredWorld() {
  const world = await makeLedgerPair();
  world.clock.now += 60 * MINUTE;
  await reconcileAccounts(world.deps);
  world.clock.now += 60 * MINUTE;
  world.deps.settings.RESTORED_AT = world.clock.now;
  return world;
}

describe('an account after a restore', () => {
  it('takes no payment until the gateway’s transactions from the lost hours have been read', async () => {
    const world = await makeRestoredWorld();
    expect((await payByLink(world)).kind).toBe('gateway-unavailable');
    world.clock.now += 5 * MINUTE;
    await reconcileAccounts(world.deps);
    expect((await payByLink(world)).kind).toBe('gateway-unavailable');
    expect(await world.attempts()).toEqual([]);
    // The gateway's search lags by at most ten minutes; the next nightly run is hours away.
    world.clock.now += 6 * MINUTE;
    await reconcileAccounts(world.deps);
    expect((await payByLink(world)).kind).toBe('approved');
  });

  it('waits as long as the gateway does not answer', async () => {
    const world = await makeRestoredWorld();
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async () => 'unavailable';
    world.clock.now += 60 * MINUTE;
    await reconcileAccounts(world.deps);
    expect((await payByLink(world)).kind).toBe('gateway-unavailable');
    world.deps.gateway.listTransactions = listTransactions;
    await reconcileAccounts(world.deps);
    expect((await payByLink(world)).kind).toBe('approved');
  });

  it('waits until the transactions of both payment methods have been read', async () => {
    const world = await makeRestoredWorld();
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async (terminal, method, ...rest) =>
      method === 'ach' ? 'unavailable' : listTransactions(terminal, method, ...rest);
    world.clock.now += 60 * MINUTE;
    await reconcileAccounts(world.deps);
    expect((await payByLink(world)).kind).toBe('gateway-unavailable');
  });

  it('waits when no transactions were ever read', async () => {
    const world = await makeLedgerPair();
    world.deps.settings.RESTORED_AT = world.clock.now;
    await world.db.delete(reconciliationCursors);
    expect((await payByLink(world)).kind).toBe('gateway-unavailable');
  });

  it('makes no refund and starts no sale on a card reader', async () => {
    const world = await makeRestoredWorld();
    const { id } = await world.sell();
    const request = { kind: 'refund', amountCents: 100, reason: 'Late', requestKey: 'key-1' } as const;
    expect((await reversePayment(world.deps, world.merchant, id, request)).kind).toBe('unavailable');
    const counter = await makeCounter();
    counter.deps.settings.RESTORED_AT = counter.clock.now;
    expect((await counter.start()).kind).toBe('not-started');
    expect(await counter.attempts()).toEqual([]);
  });
});
