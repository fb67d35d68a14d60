import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { freshId, makeWorld, transaction, type World } from '#tests/support/unit/world';
import { whatStands } from '#worker/data/operate/erase';
import type { Merchant } from '#worker/domain/merchants/session';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import type { ChargeRequest, GatewayTransaction } from '#worker/vendors/clearent/port';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { inquirePaymentStatus } from './inquire-status.ts';
import { takePayment } from './take-payment.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const pay = (world: World, more: object = {}) =>
  takePayment(world.deps, world.payId, paymentForm(more), { clientIp: `ip-${freshId()}` });

type Shown = Partial<GatewayTransaction>[] | 'unavailable';

/** A bank debit that the gateway has accepted, and what it shows of it from then on. */
async function submitted() {
  const world = await makeWorld();
  world.gateway.script.charge = (request) => ({
    kind: 'pending',
    txn: transaction(request, { state: 'pending', result: 'PENDING', kind: 'DEBIT' }),
    exchangeId: '',
  });
  expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
  const [request] = world.gateway.charges;
  if (!request) throw new Error('no charge');
  const show = (shown: Shown) => {
    const txns = shown === 'unavailable' ? shown : shown.map((more) => debitOf(request, more));
    world.gateway.script.find = (by) => {
      if (txns === 'unavailable' || !('providerTxnId' in by)) return txns;
      return txns.filter(({ id }) => id === by.providerTxnId);
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

const debitOf = (request: ChargeRequest, more: Partial<GatewayTransaction>) =>
  transaction(request, { kind: 'DEBIT', state: 'pending', ...more });

describe('a bank debit that was accepted', () => {
  it.each<[string, Partial<GatewayTransaction>]>([
    ['returned by the bank', { state: 'returned', providerCode: 'R01' }],
    ['declined after all', { state: 'declined', result: 'REJECTED' }],
    ['pending and marked as voided', { state: 'pending', isVoided: true }],
    ['settled and marked as voided', { state: 'approved', isVoided: true }],
  ])('ends, and opens its invoice, once the gateway shows it %s', async (_how, more) => {
    const { world, show, wait, state, label } = await submitted();
    show([more]);
    await wait(1);
    expect(await state()).toBe('returned');
    expect(await label()).toBe('none');
    expect(await world.ledger()).toEqual([]);
    expect((await world.attempts())[0]?.nextCheckAt).toBeNull();
  });

  it.each<[string, Shown]>([
    ['is shown in a state that we do not know', [{ state: 'other', result: 'ON HOLD' }]],
    ['is no longer listed', []],
    ['is shown with another amount', [{ amountCents: 100 }]],
  ])('comes before a person, with an alert, when for a day it %s', async (_how, shown) => {
    const { world, show, wait, state, label, alerts } = await submitted();
    show(shown);
    await wait(0.75, 5 * HOUR);
    expect(await state()).toBe('pending');
    await wait(1, 5 * HOUR);
    expect(await state()).toBe('needs_human');
    expect(await label()).toBe('submitted');
    expect(alerts()).toHaveLength(1);
    expect((await pay(world)).kind).not.toBe('approved');
  });

  it.each<[string, Shown]>([
    ['stays on its way', [{}]],
    ['cannot be looked up', 'unavailable'],
  ])('comes before a person when it still %s after 14 days', async (_how, shown) => {
    const { show, wait, state, alerts } = await submitted();
    show(shown);
    await wait(13);
    expect(await state()).toBe('pending');
    await wait(2);
    expect(await state()).toBe('needs_human');
    expect(alerts()).toHaveLength(1);
  });

  it('comes before a person at the sixth look of the schedule that finds none, however often pages ask in between', async () => {
    const { world, show, state } = await submitted();
    show([]);
    const ask = async () => {
      const [attempt] = await world.attempts();
      if (attempt) await inquirePaymentStatus(world.deps, attempt);
    };
    for (let look = 0; look < 5; look++) {
      world.clock.now += 4 * HOUR;
      await CLINIC_STEPS.payments?.(world.deps);
      for (let page = 0; page < 3; page++) {
        world.clock.now += 1000;
        await ask();
      }
      world.clock.now += 1;
    }
    expect(await state()).toBe('pending');
    world.clock.now += 4 * HOUR;
    await CLINIC_STEPS.payments?.(world.deps);
    expect(await state()).toBe('needs_human');
  });

  it('is found by its own id where order id and key do not find it', async () => {
    const { world, request, wait, state } = await submitted();
    const [attempt] = await world.attempts();
    const txn = debitOf(request, { id: attempt?.providerTxnId ?? '', state: 'approved' });
    world.gateway.script.find = (by) => ('providerTxnId' in by ? [txn] : []);
    await wait(1);
    expect(await state()).toBe('approved');
  });

  it('is left alone while answers that cannot be read alternate with good ones', async () => {
    const { show, wait, state } = await submitted();
    for (let day = 0; day < 6; day++) {
      show([]);
      await wait(0.5, 4 * HOUR);
      show([{}]);
      await wait(0.5, 4 * HOUR);
    }
    expect(await state()).toBe('pending');
  });
});

describe('a bank debit before a person', () => {
  it('is released by their word, and its invoice can be paid in its next collection', async () => {
    const { world, show, wait, state, label, resolve } = await submitted();
    show([{ state: 'other', result: 'ON HOLD' }]);
    await wait(8);
    expect((await resolve('not-charged')).kind).toBe('resolved');
    expect(await state()).toBe('not_charged');
    expect(await label()).toBe('none');
    world.gateway.script.charge = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: '' });
    expect((await pay(world)).kind).toBe('approved');
    expect(new Set(world.gateway.charges.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it('is booked by their word when the gateway shows it settled', async () => {
    const { world, request, show, wait, state, label, resolve } = await submitted();
    show([]);
    await wait(8);
    expect((await resolve('charged')).kind).toBe('contradicted');
    show([{ state: 'approved' }]);
    expect((await resolve('charged')).kind).toBe('resolved');
    expect(await state()).toBe('approved');
    expect(await label()).toBe('paid');
    expect(await world.ledger()).toMatchObject([{ kind: 'payment', amountCents: request.amountCents }]);
  });

  it('is not released by their word while the gateway shows it on its way', async () => {
    const { show, wait, resolve } = await submitted();
    show([{}]);
    await wait(16);
    expect((await resolve('not-charged')).kind).toBe('contradicted');
  });

  it.each<[string, Partial<GatewayTransaction>, string, string]>([
    ['settles', { state: 'approved' }, 'approved', 'paid'],
    ['comes back', { state: 'returned', providerCode: 'R02' }, 'returned', 'none'],
    ['is voided', { isVoided: true }, 'returned', 'none'],
  ])('leaves them without a word when it %s after all', async (_how, more, end, local) => {
    const { world, show, wait, state, label } = await submitted();
    show([]);
    await wait(8);
    expect(await state()).toBe('needs_human');
    show([more]);
    await wait(1);
    expect(await state()).toBe(end);
    expect(await label()).toBe(local);
    expect(await world.ledger()).toHaveLength(end === 'approved' ? 1 : 0);
  });

  it('comes back to them when it settles weeks after they released it', async () => {
    const { show, wait, state, resolve } = await submitted();
    show([]);
    await wait(8);
    expect((await resolve('not-charged')).kind).toBe('resolved');
    await wait(20);
    show([{ state: 'approved' }]);
    await wait(2);
    expect(await state()).toBe('needs_human');
  });

  it('is asked for once a day for 65 days after they released it, and no more after that', async () => {
    const { world, show, wait, resolve } = await submitted();
    show([]);
    await wait(8);
    await resolve('not-charged');
    await wait(56);
    expect((await world.attempts())[0]?.nextCheckAt).not.toBeNull();
    await wait(3);
    expect((await world.attempts())[0]?.nextCheckAt).toBeNull();
  });

  it('does not keep its clinic from being erased once the gateway has forgotten it', async () => {
    const { world, show, wait, state } = await submitted();
    show([]);
    await wait(8);
    expect(await state()).toBe('needs_human');
    expect((await whatStands(world.db, world.clock.now)).payments).toBeGreaterThan(0);
    const forgotten = ((await world.attempts())[0]?.createdAt ?? 0) + 92 * DAY;
    expect((await whatStands(world.db, forgotten - 1)).payments).toBe(1);
    expect((await whatStands(world.db, forgotten)).payments).toBe(0);
  });
});

describe('a bank debit that came back before it was booked', () => {
  it('is followed by a debit under another key, since the gateway may still count the first', async () => {
    const { world, show, wait } = await submitted();
    show([{ state: 'returned', providerCode: 'R01' }]);
    await wait(1);
    expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
    const [first, second] = world.gateway.charges;
    expect(second?.dedupeKey).not.toBe(first?.dedupeKey);
  });
});

describe('a bank debit that was settled', () => {
  it.each([
    ['the bank returns it', { state: 'returned', providerCode: 'R10' } as const],
    ['the gateway declines it', { state: 'declined' } as const],
  ])('is booked back when %s on the 64th day after its settlement', async (_how, more) => {
    const { world, show, wait, state } = await submitted();
    await wait(4);
    show([{ state: 'approved' }]);
    await wait(1);
    expect(await state()).toBe('approved');
    await wait(62.5);
    show([more]);
    // The watch alone: the nightly list would find it as well.
    world.gateway.script.listTransactions = () => 'unavailable';
    await wait(1.5);
    expect(await state()).toBe('returned');
    expect((await world.ledger()).map(({ kind }) => kind)).toEqual(['payment', 'return']);
  });

  it('is asked for on the 65th day after its settlement, and no more after that', async () => {
    const { world, show, wait } = await submitted();
    show([{ state: 'approved' }]);
    await wait(1);
    const settledAt = (await world.attempts())[0]?.settledAt ?? 0;
    await wait(70);
    const [attempt] = await world.attempts();
    expect(attempt?.nextCheckAt).toBeNull();
    expect(Math.floor(((attempt?.checkedAt ?? 0) - settledAt) / DAY)).toBe(65);
  });
});
