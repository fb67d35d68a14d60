import { describe, expect, it } from 'vitest';
import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { paymentForm } from '#tests/support/pay-form';
import { approvedOutcome, declinedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { paymentAttempts } from '#worker/data/schema/schema';
import { ipKeyOf } from '#worker/domain/audit/event';
import { takePayment } from './take-payment.ts';
import { recordDecline } from './velocity-limits.ts';

const pay = (
  world: World,
  overrides: Partial<TakePaymentBody> = {},
  clientIp: string | null = `ip-${world.accountId}`,
) => takePayment(world.deps, world.payId, paymentForm(overrides), { clientIp });

describe('the velocity limits', () => {
  it('close a link for a day after five declines in an hour, and count only declines', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => ({
      kind: 'rejected',
      reason: 'validation',
      message: 'no',
      providerCode: '041',
    });
    for (let n = 0; n < 7; n++) await pay(world, {}, `ip-${world.accountId}-${n}`);
    world.gateway.script.charge = declinedOutcome;
    for (let n = 0; n < 5; n++) expect((await pay(world, {}, `ip-${world.accountId}-${n}`)).kind).toBe('declined');
    expect((await pay(world, {}, `ip-${world.accountId}-x`)).kind).toBe('too-many');
    world.clock.now += 2 * 3_600_000;
    expect((await pay(world, {}, `ip-${world.accountId}-y`)).kind).toBe('too-many');
    world.clock.now += 23 * 3_600_000;
    world.gateway.script.charge = approvedOutcome;
    expect((await pay(world)).kind).toBe('approved');
  });

  it('block an IP address after ten declines in an hour across links, and payers without one after five', async () => {
    for (const [clientIp, limit] of [
      ['203.0.113.7', 10],
      [null, 5],
    ] as const) {
      let chargeCount = 0;
      for (let n = 0; n < 12; n++) {
        const world = await makeWorld({ DECLINES_PER_LINK_HOUR: 100 });
        world.gateway.script.charge = declinedOutcome;
        await takePayment(world.deps, world.payId, paymentForm(), { clientIp });
        chargeCount += world.gateway.charges.length;
      }
      expect(chargeCount).toBe(limit);
    }
  });

  it('count an IP address’s declines at other clinics for an hour', async () => {
    const clientIp = '203.0.113.8';
    const payFromIp = async () => {
      const world = await makeWorld();
      // The attempts at other clinics are in their own databases.
      await world.db.delete(paymentAttempts);
      world.gateway.script.charge = declinedOutcome;
      const { kind } = await takePayment(world.deps, world.payId, paymentForm(), { clientIp });
      return { kind, world };
    };
    for (let n = 0; n < 10; n++) expect((await payFromIp()).kind).toBe('declined');
    const { kind, world } = await payFromIp();
    expect(kind).toBe('too-many');
    world.clock.now += 3_600_001;
    expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp })).kind).toBe('declined');
  });

  it('let only one of four simultaneous cards through when one more decline is allowed', async () => {
    const clientIp = '203.0.113.9';
    const first = await makeWorld();
    const worlds = [first, await makeWorld(), await makeWorld(), await makeWorld()];
    for (const { gateway } of worlds) gateway.script.charge = declinedOutcome;
    for (let n = 0; n < 9; n++) await recordDecline(first.deps, await ipKeyOf(first.deps, clientIp));
    const outcomes = await Promise.all(
      worlds.map(({ deps, payId }) => takePayment(deps, payId, paymentForm(), { clientIp })),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['declined', 'too-many', 'too-many', 'too-many']);
    expect(worlds.flatMap(({ gateway }) => gateway.charges)).toHaveLength(1);
  });

  it('apply within the clinic when the counts of all clinics cannot be read', async () => {
    const world = await makeWorld();
    const prepare = () => {
      throw new Error('the installation does not answer');
    };
    world.deps.installation = { $client: { prepare } } as unknown as typeof world.db;
    world.gateway.script.charge = declinedOutcome;
    for (let n = 0; n < 5; n++) expect((await pay(world, {}, `ip-${world.accountId}-${n}`)).kind).toBe('declined');
    expect((await pay(world, {}, `ip-${world.accountId}-x`)).kind).toBe('too-many');
    expect(world.logs).toEqual(expect.arrayContaining(['declines-not-counted', 'decline-not-recorded']));
  });

  it('are stricter for a merchant at which most cards fail', async () => {
    const world = await makeWorld({ BREAKER_MIN_ATTEMPTS: 4, DECLINES_PER_LINK_HOUR: 5 });
    world.gateway.script.charge = declinedOutcome;
    const kinds: string[] = [];
    for (let n = 0; n < 5; n++) kinds.push((await pay(world, {}, `ip-${world.accountId}-${n}`)).kind);
    expect(kinds).toEqual(['declined', 'declined', 'declined', 'declined', 'too-many']);
    expect(world.logs).toContain('ALERT card-testing-suspected');
  });

  it('allow an honest payer a second card while others test cards', async () => {
    const world = await makeWorld({ BREAKER_MIN_ATTEMPTS: 2 });
    const { accountId, clock } = world;
    await world.db.insert(paymentAttempts).values({
      id: `tested-${accountId}`,
      accountId,
      invoiceId: 'another',
      collection: 1,
      terminalId: `T${accountId}`,
      channel: 'link',
      method: 'card',
      amountCents: 100,
      currency: 'USD',
      invoiceNumber: '',
      dedupeKey: '',
      receiptId: `tested-${accountId}`,
      state: 'declined',
      holdUntil: clock.now,
      createdAt: clock.now,
    });
    world.gateway.script.charge = declinedOutcome;
    expect((await pay(world)).kind).toBe('declined');
    world.gateway.script.charge = approvedOutcome;
    expect((await pay(world)).kind).toBe('approved');
    expect(world.logs).toContain('ALERT card-testing-suspected');
  });
});
