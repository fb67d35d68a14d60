import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { eventsOf } from '#tests/support/unit/trail';
import { lostOutcome, makeWorld } from '#tests/support/unit/world';
import { accounts } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { registerDueHosts, setApplePay, viewApplePay } from './apple-pay.ts';
import { viewLink } from './view-payable.ts';

const HOUR = 3_600_000;
const walletForm = (fields = {}) =>
  paymentForm({
    wallet: 'apple',
    amountShown: '184.00',
    address: '',
    address2: '',
    city: '',
    state: '',
    zip: '',
    ...fields,
  });

async function makeClinic() {
  const world = await makeWorld();
  const { deps, payId, accountId, gateway } = world;
  const merchant: Merchant = { sessionId: '', accountId, userId: 1, role: 'manager' };
  return {
    world,
    merchant,
    gateway,
    pay: (fields = {}) => takePayment(deps, payId, walletForm(fields), { clientIp: `ip-${accountId}` }),
    page: () => viewLink(deps, payId),
    set: (isOn: boolean) => setApplePay(deps, merchant, isOn),
    view: () => viewApplePay(deps, merchant),
    schedule: () => registerDueHosts(deps),
    dueAt: async () =>
      (await world.db.select().from(accounts).where(eq(accounts.accountId, accountId)))[0]?.applePayNextAt,
  };
}

describe('Apple Pay', () => {
  it('is neither offered nor accepted by default, and nothing is claimed or charged', async () => {
    const { world, page, pay, view } = await makeClinic();
    expect(await view()).toEqual({ is_on: false, host: 'localhost', is_registered: false, refusal: '' });
    expect(await page()).not.toHaveProperty('view.applePay');
    expect(await pay()).toEqual({
      kind: 'part-refused',
      message: 'Apple Pay is no longer accepted here. Please enter your card details.',
    });
    expect([await world.attempts(), world.gateway.charges]).toEqual([[], []]);
  });

  it('is offered and charged once the host is registered with the key of the terminal for online payments', async () => {
    const { world, set, page, pay, dueAt } = await makeClinic();
    expect(await set(true)).toMatchObject({ is_on: true, is_registered: true });
    expect(world.gateway.registrations).toEqual([{ terminalId: `T${world.accountId}`, host: 'localhost' }]);
    expect(await dueAt()).toBeNull();
    expect(await page()).toMatchObject({ kind: 'ready', view: { applePay: true } });
    expect((await pay()).kind).toBe('approved');
    expect(await world.attempts()).toMatchObject([
      { method: 'card', wallet: 'apple', avsResult: 'Y', cscResult: 'M', payerAddress: '' },
    ]);
  });

  it('is not offered until the card provider has registered the host; the schedule retries each hour', async () => {
    const { world, gateway, set, view, page, schedule, dueAt } = await makeClinic();
    gateway.script.register = () => ({ kind: 'refused', message: 'Apple could not verify the domain' });
    expect(await set(true)).toMatchObject({ is_registered: false, refusal: 'Apple could not verify the domain' });
    expect(await page()).not.toHaveProperty('view.applePay');
    expect(await dueAt()).toBe(world.clock.now + HOUR);
    await schedule();
    expect(gateway.registrations).toHaveLength(1);
    world.clock.now += HOUR;
    gateway.script.register = () => ({ kind: 'unavailable' });
    await schedule();
    expect(await view()).toMatchObject({ is_registered: false, refusal: '' });
    world.clock.now += HOUR;
    gateway.script.register = () => ({ kind: 'registered' });
    await schedule();
    expect(await page()).toMatchObject({ view: { applePay: true } });
    world.clock.now += HOUR;
    await schedule();
    expect(gateway.registrations).toHaveLength(3);
  });

  it('is no longer offered, accepted or registered once switched off, and each change is in the trail', async () => {
    const { world, gateway, set, page, pay, schedule } = await makeClinic();
    gateway.script.register = () => ({ kind: 'unavailable' });
    await set(true);
    await set(false);
    world.clock.now += HOUR;
    await schedule();
    expect(gateway.registrations).toHaveLength(1);
    expect(await page()).not.toHaveProperty('view.applePay');
    expect((await pay()).kind).toBe('part-refused');
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'apple-pay.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      ['{"on":false}', '{"on":true}'],
      ['{"on":true}', '{"on":false}'],
    ]);
  });

  it('charges nothing if the amount due differs from the one on the Apple Pay sheet', async () => {
    const { world, set, pay } = await makeClinic();
    await set(true);
    expect((await pay({ amountShown: '180.00' })).kind).toBe('amount-changed');
    expect([await world.attempts(), world.gateway.charges]).toEqual([[], []]);
  });

  it('waits for the outcome after a lost response; a card in the same form is not charged again', async () => {
    const { world, set, pay } = await makeClinic();
    await set(true);
    world.gateway.script.charge = () => lostOutcome;
    const attemptId = crypto.randomUUID();
    expect((await pay({ attemptId })).kind).toBe('pending');
    const card = paymentForm({ attemptId });
    const outcome = await takePayment(world.deps, world.payId, card, { clientIp: 'ip-1' });
    expect(outcome.kind).toBe('pending');
    expect(world.gateway.charges).toHaveLength(1);
    expect(await world.attempts()).toMatchObject([{ state: 'unknown', wallet: 'apple' }]);
  });
});
