import { expect } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { freshId, makeWorld, transaction, type World } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import type { ChargeRequest, GatewayTransaction } from '#worker/vendors/gateway-port';

const DAY = 24 * 3_600_000;

export const pay = (world: World, fields: object = {}) =>
  takePayment(world.deps, world.payId, paymentForm(fields), { clientIp: `ip-${freshId()}` });

export type GatewayAnswer = Partial<GatewayTransaction>[] | 'unavailable';

/** A bank debit that the gateway has accepted. `show` sets the gateway's later transactions of it. */
export async function submittedDebit() {
  const world = await makeWorld();
  world.gateway.script.charge = (request) => ({
    kind: 'pending',
    txn: transaction(request, { state: 'pending', result: 'PENDING', kind: 'DEBIT' }),
    exchangeId: '',
  });
  expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
  const [request] = world.gateway.charges;
  if (!request) throw new Error('no charge');
  const show = (answer: GatewayAnswer) => {
    const txns = answer === 'unavailable' ? answer : answer.map((fields) => debitOf(request, fields));
    world.gateway.script.find = (searchKey) => {
      if (txns === 'unavailable' || !('providerTxnId' in searchKey)) return txns;
      return txns.filter(({ id }) => id === searchKey.providerTxnId);
    };
    world.gateway.script.listTransactions = () =>
      txns === 'unavailable' ? txns : { transactions: txns, isLast: true };
  };
  const wait = async (days: number, stepMs = DAY) => {
    for (const end = world.clock.now + days * DAY; world.clock.now < end; ) {
      world.clock.now += stepMs;
      for (const step of ['payments', 'reconciliation']) await CLINIC_STEPS[step]?.(world.deps);
    }
  };
  const state = async () => (await world.attempts())[0]?.state;
  const label = async () => (await world.invoiceRow())?.localStatus;
  const ana: Merchant = { sessionId: 's', accountId: world.accountId, userId: freshId(), role: 'admin' };
  const resolve = async (verdict: 'charged' | 'not-charged') => {
    const [attempt] = await world.attempts();
    return resolvePayment(world.deps, ana, attempt?.id ?? '', { verdict, note: 'Asked the card provider.' });
  };
  const alerts = () => world.logs.filter((line) => line.startsWith('ALERT') && line.includes('needs-a-person'));
  return { world, request, show, wait, state, label, resolve, alerts };
}

export const debitOf = (request: ChargeRequest, fields: Partial<GatewayTransaction>) =>
  transaction(request, { kind: 'DEBIT', state: 'pending', ...fields });
