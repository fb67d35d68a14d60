import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { freshId, lostOutcome, makeWorld, transaction, type World } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import type { ChargeOutcome, ChargeRequest, GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolvePayment } from './resolve-payment.ts';

const HOUR = 3_600_000;

/** A gateway whose duplicate check also counts voided charges, and which does not answer a duplicate. */
async function makeStrictGateway(existing?: World) {
  const world = existing ?? (await makeWorld());
  const books: GatewayTransaction[] = [];
  const { script } = world.gateway;
  script.charge = (request: ChargeRequest): ChargeOutcome => {
    if (books.some(({ dedupeKey }) => dedupeKey === request.dedupeKey)) return lostOutcome;
    const txn = transaction(request);
    books.push(txn);
    return { kind: 'approved', txn, exchangeId: '' };
  };
  script.find = (by) => {
    if ('attemptId' in by) return books.filter(({ attemptId }) => attemptId === by.attemptId);
    if ('dedupeKey' in by) return books.filter(({ dedupeKey }) => dedupeKey === by.dedupeKey);
    return books.filter(({ id }) => id === by.providerTxnId);
  };
  const pay = (overrides: object = {}) =>
    takePayment(world.deps, world.payId, paymentForm(overrides), { clientIp: `ip-${freshId()}` });
  const ana: Merchant = { sessionId: 's', accountId: world.accountId, userId: freshId(), role: 'admin' };
  const release = async () => {
    const attempt = (await world.attempts()).find(({ state }) => state === 'needs_human');
    return resolvePayment(world.deps, ana, attempt?.id ?? '', { verdict: 'not-charged', note: 'Voided there.' });
  };
  /** A payment whose answer is lost and whose charge is voided at the provider, which a person then releases. */
  const payVoided = async (overrides: object = {}) => {
    const { charge } = script;
    script.charge = async (request) => {
      await charge?.(request);
      return lostOutcome;
    };
    await pay(overrides);
    const chargedTxn = books.at(-1);
    if (chargedTxn) chargedTxn.amountCents = 100;
    world.clock.now += HOUR;
    await CLINIC_STEPS.payments?.(world.deps);
    expect((await world.attempts()).at(-1)).toMatchObject({ state: 'needs_human' });
    if (chargedTxn) chargedTxn.isVoided = true;
    expect((await release()).kind).toBe('resolved');
    script.charge = charge as never;
  };
  return { world, books, pay, payVoided, release };
}

describe('a payment released after its charge was voided in the provider’s portal', () => {
  it('is followed by a payment under a new key, which the gateway does not mistake for the voided one', async () => {
    const { world, pay, payVoided } = await makeStrictGateway();
    await payVoided();
    expect((await pay()).kind).toBe('approved');
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect(await world.ledger()).toHaveLength(1);
  });

  it('is followed by a payment under a new key when the same installment is paid again', async () => {
    const { world, collection } = await makePartWorld();
    const { pay, payVoided } = await makeStrictGateway(world);
    const part = { part: { amount: '50.00' } };
    expect((await pay(part)).kind).toBe('approved');
    await payVoided(part);
    expect((await pay({ part: { amount: '60.00' } })).kind).toBe('approved');
    expect((await pay()).kind).toBe('approved');
    expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', partPaidCents: 18_400 });
    expect(await collection(1)).toMatchObject({ state: 'open' });
  });
});

describe('a payment released although the gateway never showed its charge', () => {
  it('is followed by a payment under the same key, so that a late charge is not a second charge', async () => {
    const { world, pay, release } = await makeStrictGateway();
    const { script } = world.gateway;
    const { charge } = script;
    script.charge = () => lostOutcome;
    script.find = (by) =>
      'attemptId' in by ? [transaction(world.gateway.charges[0] as never, { state: 'other' })] : [];
    await pay();
    for (let check = 0; check < 4; check++) {
      world.clock.now += HOUR;
      await CLINIC_STEPS.payments?.(world.deps);
    }
    script.find = () => [];
    expect((await release()).kind).toBe('resolved');
    script.charge = charge;
    expect((await pay()).kind).toBe('approved');
    const [first, second] = world.gateway.charges;
    expect(second?.dedupeKey).toBe(first?.dedupeKey);
  });
});
