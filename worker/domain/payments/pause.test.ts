import { describe, expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import type { Db } from '#worker/data/db';
import { paymentSwitch } from '#worker/data/schema/operators';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { createPause } from './pause.ts';

const pausedSwitch = { id: 1, state: 'paused' as const, at: 1, operatorId: 'o1', reason: 'The gateway is down' };

describe('an operator’s switch for online payments', () => {
  it('shows payers that payments are paused from the first request of an isolate on', async () => {
    const { deps, payId } = await makeWorld();
    expect((await viewLink(deps, payId)).kind).toBe('ready');
    await deps.installation.insert(paymentSwitch).values(pausedSwitch);
    const newIsolateDeps = { ...deps, payments: createPause(deps.installation, Date.now) };
    expect((await viewLink(newIsolateDeps, payId)).kind).toBe('paused');
  });

  it('is read at most once in ten seconds, however many payers come', async () => {
    const { deps } = await makeWorld();
    const clock = { now: 1_000_000 };
    let reads = 0;
    const prepare = (sql: string) => {
      reads += 1;
      return deps.installation.$client.prepare(sql);
    };
    const pause = createPause({ $client: { prepare } } as unknown as Db, () => clock.now);
    await pause.refresh();
    await Promise.all(Array.from({ length: 20 }, () => pause.refresh()));
    expect(reads).toBe(1);
    await deps.installation.insert(paymentSwitch).values(pausedSwitch);
    clock.now += 9_999;
    await pause.refresh();
    expect(pause.isPaused()).toBe(false);
    clock.now += 1;
    await Promise.all(Array.from({ length: 20 }, () => pause.refresh()));
    expect([reads, pause.isPaused()]).toEqual([2, true]);
  });

  it('does not make payers wait for a read that never ends', async () => {
    const { deps } = await makeWorld();
    const clock = { now: 1_000_000 };
    let reads = 0;
    const pendingStatement = { first: () => new Promise<never>(() => undefined) };
    const prepare = (sql: string) => (reads++ === 0 ? pendingStatement : deps.installation.$client.prepare(sql));
    const pause = createPause({ $client: { prepare } } as unknown as Db, () => clock.now, 20);
    await pause.refresh();
    expect([reads, pause.isPaused()]).toEqual([1, false]);
    await deps.installation.insert(paymentSwitch).values(pausedSwitch);
    clock.now += 20;
    await pause.refresh();
    expect([reads, pause.isPaused()]).toEqual([2, true]);
  });

  it('does not make payers wait for the read of a request that ended before the answer', async () => {
    const { deps } = await makeWorld();
    await deps.installation.insert(paymentSwitch).values(pausedSwitch);
    const clock = { now: 1_000_000 };
    const pendingStatement = { bind: () => pendingStatement, first: () => new Promise<never>(() => undefined) };
    let isReadPending = true;
    const prepare = (sql: string) => (isReadPending ? pendingStatement : deps.installation.$client.prepare(sql));
    const pause = createPause({ $client: { prepare } } as unknown as Db, () => clock.now);
    // The platform never resumes a pending read of a request that has ended.
    void pause.refresh();
    isReadPending = false;
    await pause.refresh();
    expect(pause.isPaused()).toBe(true);
    clock.now += 10_000;
    isReadPending = true;
    void pause.refresh();
    isReadPending = false;
    await pause.refresh();
    await deps.installation.delete(paymentSwitch);
    clock.now += 1000;
    await pause.refresh();
    expect(pause.isPaused()).toBe(false);
  }, 5000);

  it('keeps its last known value while it cannot be read', async () => {
    const failToPrepare = () => {
      throw new Error('D1 is away');
    };
    const pause = createPause({ $client: { prepare: failToPrepare } } as unknown as Db, Date.now);
    await pause.refresh();
    expect(pause.isPaused()).toBe(false);
    pause.recordChange(true);
    await pause.refresh();
    expect(pause.isPaused()).toBe(true);
  });
});
