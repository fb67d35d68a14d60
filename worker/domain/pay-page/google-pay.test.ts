import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { setSwitch, viewSwitch } from './settings.ts';
import { viewLink } from './view-payable.ts';

const NO_ADDRESS = { address: '', address2: '', city: '', state: '', zip: '' };
const walletForm = () => paymentForm({ wallet: 'google', amountShown: '184.00', ...NO_ADDRESS });

async function makeClinic() {
  const world = await makeWorld();
  const { deps, payId, accountId } = world;
  const merchant: Merchant = { sessionId: '', accountId, userId: 1, role: 'manager' };
  return {
    world,
    pay: () => takePayment(deps, payId, walletForm(), { clientIp: `ip-${accountId}` }),
    page: () => viewLink(deps, payId),
    set: (isOn: boolean) => setSwitch(deps, merchant, 'google-pay', isOn),
    view: () => viewSwitch(deps, merchant, 'google-pay'),
  };
}

const REFUSAL = {
  kind: 'part-refused',
  message: 'Google Pay is no longer accepted here. Please enter your card details.',
};

describe('Google Pay', () => {
  it('is neither offered nor accepted by default, even with Apple Pay on, and nothing is charged', async () => {
    const { world, page, pay, view } = await makeClinic();
    await world.db.$client.prepare("UPDATE accounts SET takes_apple_pay = 1, apple_pay_host = 'localhost'").run();
    expect(await view()).toEqual({ is_on: false });
    expect(await page()).toMatchObject({ kind: 'ready', view: { applePay: true } });
    expect(await page()).not.toHaveProperty('view.googlePay');
    expect(await pay()).toEqual(REFUSAL);
    expect([await world.attempts(), world.gateway.charges]).toEqual([[], []]);
  });

  it('is offered and charged at once when it is switched on, without any registration', async () => {
    const { world, set, page, pay } = await makeClinic();
    expect(await set(true)).toEqual({ is_on: true });
    expect(world.gateway.registrations).toEqual([]);
    const link = await page();
    expect(link).toMatchObject({ kind: 'ready', view: { googlePay: true } });
    expect(link).not.toHaveProperty('view.applePay');
    expect((await pay()).kind).toBe('approved');
    expect(await world.attempts()).toMatchObject([{ method: 'card', wallet: 'google', payerAddress: '' }]);
  });

  it('is no longer offered or accepted once it is switched off, and each change is in the trail', async () => {
    const { world, set, page, pay } = await makeClinic();
    await set(true);
    await set(false);
    expect(await page()).not.toHaveProperty('view.googlePay');
    expect(await pay()).toEqual(REFUSAL);
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'google-pay.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      ['{"on":false}', '{"on":true}'],
      ['{"on":true}', '{"on":false}'],
    ]);
  });
});
