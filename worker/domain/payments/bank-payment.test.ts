import { describe, expect, it } from 'vitest';
import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld, transaction, type World } from '#tests/support/unit/world';
import type { ChargeRequest } from '#worker/vendors/gateway-port';
import { runSchedule } from '../run-schedule.ts';
import { takePayment } from './take-payment.ts';

const pay = (
  world: World,
  overrides: Partial<TakePaymentBody> = {},
  clientIp: string | null = `ip-${world.accountId}`,
) => takePayment(world.deps, world.payId, paymentForm(overrides), { clientIp });

/** Submits a bank payment, which the gateway accepts but has not settled yet. */
async function submitBankPayment(world: World): Promise<ChargeRequest> {
  world.gateway.script.charge = (request) => ({
    kind: 'pending',
    txn: transaction(request, { state: 'pending', result: 'PENDING' }),
    exchangeId: '',
  });
  expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
  const [request] = world.gateway.charges;
  if (!request) throw new Error('no charge');
  return request;
}

describe('a bank payment', () => {
  it('is submitted, not paid, until it has settled', async () => {
    const world = await makeWorld();
    const request = await submitBankPayment(world);
    expect((await world.invoiceRow())?.localStatus).toBe('submitted');
    expect(await world.ledger()).toEqual([]);
    expect((await pay(world)).kind).toBe('pending');
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 5 * 3_600_000;
    await runSchedule(world.deps);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect(await world.ledger()).toMatchObject([{ method: 'ach', amountCents: 18_400 }]);
  });

  it('reopens the invoice when it is returned', async () => {
    const world = await makeWorld();
    const request = await submitBankPayment(world);
    world.gateway.script.find = () => [transaction(request, { state: 'returned', message: 'R01' })];
    world.clock.now += 5 * 3_600_000;
    await runSchedule(world.deps);
    expect((await world.attempts())[0]?.state).toBe('returned');
    expect((await world.invoiceRow())?.localStatus).toBe('none');
    expect(await world.ledger()).toEqual([]);
  });

  it('is booked once when the gateway shows it twice under its order id', async () => {
    const world = await makeWorld();
    const request = await submitBankPayment(world);
    const [attempt] = await world.attempts();
    const ownTransaction = transaction(request, { id: attempt?.providerTxnId ?? '' });
    world.gateway.script.find = () => [transaction(request, { id: 'second', state: 'pending' }), ownTransaction];
    world.clock.now += 5 * 3_600_000;
    await runSchedule(world.deps);
    expect((await world.attempts())[0]?.state).toBe('approved');
    expect(await world.ledger()).toMatchObject([{ providerTxnId: ownTransaction.id, amountCents: 18_400 }]);
  });

  it('is reversed in the ledger when returned after settlement, and blocks payment until the merchant acts', async () => {
    const world = await makeWorld();
    const request = await submitBankPayment(world);
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 5 * 3_600_000;
    await runSchedule(world.deps);
    world.gateway.script.find = () => [
      transaction(request, { state: 'returned', message: 'Not authorized', providerCode: 'R10' }),
    ];
    world.clock.now += 30 * 3_600_000;
    await runSchedule(world.deps);
    await runSchedule(world.deps);
    expect(await world.attempts()).toMatchObject([{ state: 'returned', providerCode: 'R10', nextCheckAt: null }]);
    expect(await world.ledger()).toMatchObject([
      { kind: 'payment', amountCents: 18_400 },
      { kind: 'return', amountCents: -18_400 },
    ]);
    expect((await world.invoiceRow())?.localStatus).toBe('returned');
    expect(world.mails.at(-1)?.text).toContain('Returned');
    expect(await pay(world)).toEqual({ kind: 'not-payable-online' });
  });
});
