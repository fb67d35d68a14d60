import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { recordMailEvent } from '#worker/data/mail/events';
import { receiptMailId } from '#worker/data/mail/outbox';
import { outbox } from '#worker/data/schema/schema';
import { type AlertEvent, type Rule, register } from '#worker/domain/alerts/register';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import { mailStates } from './delivery.ts';
import { MAX_TRIES } from './send.ts';

const HOUR = 3_600_000;

/** Queues a receipt that is due. `send` simulates the mail service. */
async function makeDueReceipt(send: () => Promise<'sent' | 'refused'>) {
  const world = await makeWorld();
  world.deps.mailer.send = send;
  const outcome = await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  const id = receiptMailId(outcome.attempt.id);
  const state = async () => (await world.db.select().from(outbox).where(eq(outbox.id, id)))[0]?.state;
  const pass = async (ms: number) => {
    const end = world.clock.now + ms;
    for (let step = 60_000; world.clock.now < end; step = Math.min(2 * step, HOUR)) {
      world.clock.now += step;
      await CLINIC_STEPS.mails?.(world.deps);
    }
  };
  const alerts = async () =>
    (await measureClinics(world.db, world.clock.now, false)).problems.map(({ event }) => event);
  return { ...world, id, state, pass, alerts };
}

const noAnswer = () => Promise.reject(new Error('mail HTTP 503'));

describe('the mail state table', () => {
  it('has an exit and a measured alert for each state with a time limit', () => {
    for (const [state, { exits, limitMs, alert }] of Object.entries(mailStates)) {
      expect(limitMs === null, state).toBe(alert === null);
      if (alert === null) continue;
      expect(exits.length, state).toBeGreaterThan(0);
      expect((register[alert as AlertEvent] as Rule).isMeasured, state).toBe(true);
    }
  });

  it.each([
    ['takes it', async () => 'sent' as const, 'sent'],
    ['refuses it', async () => 'refused' as const, 'failed'],
    ['never answers', noAnswer, 'failed'],
  ])('ends a due email by its limit when the mail service %s', async (_, send, endState) => {
    const { state, pass } = await makeDueReceipt(send);
    await pass(mailStates.due.limitMs);
    expect(await state()).toBe(endState);
    expect(mailStates.due.exits as readonly string[]).toContain(endState);
  });

  it('alerts on a due email while the mail service does not answer, and when it is given up', async () => {
    const { pass, alerts, logs } = await makeDueReceipt(noAnswer);
    await pass(10 * 60_000);
    expect(await alerts()).toContain(mailStates.due.alert);
    await pass(mailStates.due.limitMs);
    expect(await alerts()).not.toContain(mailStates.due.alert);
    expect(logs).toContain('ALERT mail-given-up');
  });

  it('gives up an email if all its tries were interrupted', async () => {
    let calls = 0;
    const { db, id, state, pass, logs } = await makeDueReceipt(async () => {
      calls++;
      return 'sent';
    });
    await db.update(outbox).set({ tries: MAX_TRIES, nextTryAt: 0 }).where(eq(outbox.id, id));
    await pass(HOUR);
    expect([await state(), calls]).toEqual(['failed', 0]);
    expect(logs).toContain('ALERT mail-given-up');
  });

  it('marks a failed email as sent when the mail service reports its delivery', async () => {
    const { db, id, state, pass, clock } = await makeDueReceipt(noAnswer);
    await pass(mailStates.due.limitMs);
    expect(await state()).toBe('failed');
    const event = { id: `e-${id}`, mailId: id, providerId: 'p', type: 'email.delivered', at: clock.now };
    await recordMailEvent(db, 'clinic', { ...event, delivery: 'delivered', isFinal: false }, clock.now);
    expect(await state()).toBe('sent');
  });
});
