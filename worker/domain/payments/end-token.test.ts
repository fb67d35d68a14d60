import { describe, expect, it } from 'vitest';
import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { paymentForm } from '#tests/support/pay-form';
import { approvedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { CrmError } from '#worker/vendors/hubspot/port';
import { takePayment } from './take-payment.ts';

const pay = (world: World, body: TakePaymentBody) => takePayment(world.deps, world.payId, body, { clientIp: null });

/** A world whose CRM answers each read only when the test releases it. */
async function makeWorldWithSlowCrm() {
  const world = await makeWorld();
  const { getInvoice } = world.deps.crm;
  const reads: { answer(): void; fail(): void }[] = [];
  world.deps.crm = {
    ...world.deps.crm,
    getInvoice: async (...args) => {
      const pause = Promise.withResolvers<void>();
      reads.push({ answer: pause.resolve, fail: () => pause.reject(new CrmError('unavailable', 'no answer')) });
      await pause.promise;
      return getInvoice(...args);
    },
  };
  const read = async (nth: number) => {
    await expect.poll(() => reads.length).toBeGreaterThan(nth);
    return reads[nth] as (typeof reads)[number];
  };
  return { ...world, read };
}

describe('a form submitted twice', () => {
  it('is charged by neither request once one has reported that nothing was charged', async () => {
    const world = await makeWorldWithSlowCrm();
    const form = paymentForm();
    const first = pay(world, form);
    const slowRead = await world.read(0);
    const second = pay(world, form);
    (await world.read(1)).fail();
    expect(await second).toEqual({ kind: 'crm-unavailable' });
    slowRead.answer();
    expect(await first).toEqual({ kind: 'token-refused' });
    expect(world.gateway.charges).toEqual([]);
    expect(await world.attempts()).toEqual([]);

    const retry = pay(world, paymentForm());
    (await world.read(2)).answer();
    expect((await retry).kind).toBe('approved');
    expect(world.gateway.charges).toHaveLength(1);
  });

  it('is answered with its payment when the other request was faster than the refusal', async () => {
    const world = await makeWorldWithSlowCrm();
    const charge = Promise.withResolvers<void>();
    world.gateway.script.charge = async (request) => {
      await charge.promise;
      return approvedOutcome(request);
    };
    const form = paymentForm();
    const first = pay(world, form);
    const fastRead = await world.read(0);
    const second = pay(world, form);
    const failingRead = await world.read(1);
    fastRead.answer();
    await expect.poll(() => world.attempts().then((all) => all.length)).toBe(1);
    failingRead.fail();
    expect((await second).kind).toBe('pending');
    charge.resolve();
    expect((await first).kind).toBe('approved');
    expect(world.gateway.charges).toHaveLength(1);
  });
});
