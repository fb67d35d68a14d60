import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { type BatchClose, batchCloses } from '#worker/data/schema/payments';
import { type AlertEvent, type Rule, register } from '#worker/domain/alerts/register';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import type { GatewayBatch } from '#worker/vendors/gateway-port';
import { closeBatch, closeStates } from './close.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const timedStates = (Object.keys(closeStates) as BatchClose['state'][]).filter(
  (state) => closeStates[state].limitMs !== null,
);

const batchOf = (id: string, status: GatewayBatch['status']): GatewayBatch => ({
  id,
  status,
  terminalId: 'T',
  terminalName: '',
  openedAt: 0,
  settledAt: null,
  salesCount: 1,
  salesCents: 18_400,
  refundCount: 0,
  refundCents: 0,
  netCents: 18_400,
  confirmationCode: '',
});

/** A terminal with a close of batch 7 in this state. `list`: the card provider's list of the terminal's batches. */
async function makeCloseInState(state: BatchClose['state'], list: () => GatewayBatch[] | 'unavailable') {
  const world = await makeWorld();
  const { db, accountId, clock } = world;
  const terminalId = `T${accountId}`;
  world.gateway.script.batches = list;
  await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
  const key = { accountId, terminalId, batchId: '7' };
  await db.insert(batchCloses).values({ ...key, state, requestedBy: 1, requestedAt: clock.now });
  const readClose = async () => (await db.select().from(batchCloses))[0];
  /** Runs the clinic's schedule for `ms`, while no user opens the list of batches. */
  const pass = async (ms: number) => {
    const end = clock.now + ms;
    while (clock.now < end) {
      clock.now += 2 * HOUR;
      await CLINIC_STEPS.reconciliation?.(world.deps);
    }
  };
  const alerts = async () => (await measureClinics(db, clock.now, false)).problems.map(({ event }) => event);
  const merchant = { sessionId: '', accountId, userId: 1, role: 'manager' as const };
  const requestClose = (confirmedId: string | null) => closeBatch(world.deps, merchant, terminalId, confirmedId);
  return { ...world, findClose: readClose, pass, alerts, requestBatchClose: requestClose };
}

describe('the batch close state table', () => {
  it('gives an exit and a measured alert to each state that must end', () => {
    for (const [state, { exits, limitMs, alert }] of Object.entries(closeStates)) {
      expect(limitMs === null, state).toBe(alert === null);
      if (alert === null) continue;
      expect(exits.length, state).toBeGreaterThan(0);
      expect((register[alert as AlertEvent] as Rule).isMeasured, state).toBe(true);
    }
  });

  it('lists exactly these moves', () => {
    const moves = Object.entries(closeStates).map(([state, { exits }]) => [state, [...exits].sort().join(' ')]);
    expect(Object.fromEntries(moves)).toEqual({
      sent: 'closed failed processing unknown',
      unknown: 'closed failed processing',
      processing: 'closed failed',
      failed: 'sent',
      closed: '',
    });
  });

  it.each(
    timedStates.flatMap((state) => [
      [state, 'closed', 'its batch as closed', [batchOf('7', 'closed')]] as const,
      [state, 'failed', 'its batch as refused', [batchOf('7', 'failed')]] as const,
      [state, 'failed', 'its batch as open', [batchOf('7', 'open')]] as const,
      [state, 'failed', 'only the next batch', [batchOf('8', 'open')]] as const,
      [state, 'failed', 'no batch', []] as const,
    ]),
  )('moves a close from %s to %s within its time limit when the batch list shows %s', async (state, to, _, list) => {
    const { findClose, pass, alerts } = await makeCloseInState(state, () => [...list]);
    await pass(closeStates[state].limitMs ?? 0);
    expect((await findClose())?.state).toBe(to);
    expect(closeStates[state].exits as readonly string[]).toContain(to);
    expect(await alerts()).not.toContain('batch-close-unknown');
  });

  it.each(timedStates)('alerts on a close in %s after its limit when the batch list cannot be read', async (state) => {
    const { findClose, pass, alerts } = await makeCloseInState(state, () => 'unavailable');
    await pass((closeStates[state].limitMs ?? 0) + 2 * HOUR);
    expect((await findClose())?.state).toBe(state);
    expect(await alerts()).toContain('batch-close-unknown');
  });
});

describe('a terminal with an unknown close and an unlisted batch', () => {
  it('can close its next batch only after an hour', async () => {
    const world = await makeCloseInState('unknown', () => [batchOf('8', 'open')]);
    world.clock.now += HOUR;
    expect(await world.requestBatchClose('8')).toMatchObject({ kind: 'unknown', batchId: '7' });
    world.clock.now += 10 * MINUTE;
    world.gateway.script.close = () => ({ kind: 'closed', batch: batchOf('8', 'closed') });
    expect(await world.requestBatchClose('8')).toMatchObject({ kind: 'closed', batchId: '8' });
    expect(world.gateway.closes).toHaveLength(1);
    expect(await world.findClose()).toMatchObject({ batchId: '7', state: 'failed' });
  });
});
