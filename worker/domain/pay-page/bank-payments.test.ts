import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome } from '#tests/support/unit/scripted-gateway';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { setSwitch, viewSwitch } from './settings.ts';
import { viewLink } from './view-payable.ts';

async function makeClinic() {
  const world = await makeWorld();
  const { deps, payId, accountId } = world;
  const merchant: Merchant = { sessionId: '', accountId, userId: 1, role: 'manager' };
  const pay = (paymentType: 'card' | 'ach') =>
    takePayment(deps, payId, paymentForm({ paymentType }), { clientIp: `ip-${accountId}` });
  return {
    world,
    merchant,
    pay,
    view: () => viewLink(deps, payId),
    set: (isOn: boolean) => setSwitch(deps, merchant, 'bank-payments', isOn),
  };
}

describe('payments from a bank account', () => {
  it('are offered and accepted by default', async () => {
    const { world, merchant, pay, view } = await makeClinic();
    expect(await viewSwitch(world.deps, merchant, 'bank-payments')).toEqual({ is_on: true });
    expect(await view()).not.toHaveProperty('view.cardOnly');
    await pay('ach');
    expect(world.gateway.charges.map(({ method }) => method)).toEqual(['ach']);
  });

  it('are not offered once switched off; a page that was opened earlier refuses them but accepts a card', async () => {
    const { world, merchant, pay, view, set } = await makeClinic();
    await set(false);
    expect(await viewSwitch(world.deps, merchant, 'bank-payments')).toEqual({ is_on: false });
    expect(await view()).toMatchObject({ kind: 'ready', view: { cardOnly: true } });
    expect(await pay('ach')).toEqual({
      kind: 'part-refused',
      message: 'Payments from a bank account are no longer accepted here. Please pay by card.',
    });
    expect([await world.attempts(), world.gateway.charges]).toEqual([[], []]);
    expect((await pay('card')).kind).toBe('approved');
  });

  it('are not offered by a page that waits for an earlier outcome after they are switched off', async () => {
    const { world, pay, view, set } = await makeClinic();
    world.gateway.script.charge = () => lostOutcome;
    await pay('card');
    await set(false);
    expect(await view()).toMatchObject({ kind: 'pending', view: { cardOnly: true } });
  });

  it('are recorded with an event for each change', async () => {
    const { world, set } = await makeClinic();
    await set(false);
    await set(true);
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'bank-payments.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      ['{"on":true}', '{"on":false}'],
      ['{"on":false}', '{"on":true}'],
    ]);
  });
});
