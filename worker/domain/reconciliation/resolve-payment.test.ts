import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { openWithListener } from '#tests/support/unit/d1-line';
import { openDb } from '#worker/data/db';
import { paymentAttempts } from '#worker/data/schema/schema';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { resolvePayment } from './resolve-payment.ts';
import { viewReconciliation } from './view-reconciliation.ts';

describe('a payment in manual review', () => {
  const makeInReview = async (isShown: boolean) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human', isShown });
    const resolve = (verdict: 'charged' | 'not-charged', merchant = world.merchant) =>
      resolvePayment(world.deps, merchant, sale.id, { verdict, note: 'Called the provider' });
    return { world, sale, resolve };
  };

  it('is booked when a person confirms it and the gateway shows the one charge', async () => {
    const { world, resolve } = await makeInReview(true);
    expect(await viewReconciliation(world.deps, world.accountId)).toMatchObject({ undecided: [{ amount: '184.00' }] });
    expect((await resolve('not-charged')).kind).toBe('contradicted');
    expect((await resolve('charged')).kind).toBe('resolved');
    expect(await world.state()).toMatchObject([{ state: 'approved', localStatus: 'paid', booked: ['payment 18400'] }]);
    // A decided payment is not looked up.
    world.gateway.script.find = () => 'unavailable';
    expect((await resolve('charged')).kind).toBe('contradicted');
    expect(await viewReconciliation(world.deps, world.accountId)).toMatchObject({
      undecided: [],
      resolved: [{ verdict: 'charged', note: 'Called the provider', by: 'ana@maple.example', amount: '184.00' }],
    });
  });

  it('can be paid again when a person denies it and the gateway shows no charge', async () => {
    const { world, sale, resolve } = await makeInReview(false);
    expect((await resolve('charged')).kind).toBe('contradicted');
    expect((await resolve('not-charged')).kind).toBe('resolved');
    expect(await world.state()).toMatchObject([{ state: 'not_charged', localStatus: 'none', booked: [] }]);
    expect((await world.read(sale.id)).keySpent).toBe(false);
  });

  it('saves the author and the note in the same write as the decision', async () => {
    const { world, resolve } = await makeInReview(true);
    let isArmed = false;
    const db = openDb(
      openWithListener(env.DB, {
        answer: () => {
          if (!isArmed) return;
          isArmed = false;
          throw new Error('the connection is gone');
        },
        ask: (questions) => {
          isArmed = questions.some(({ sql }) => /^update "payment_attempts" set "state"/i.test(sql));
        },
      }),
    );
    const { deps } = world;
    world.deps = { ...deps, db };
    await expect(resolve('charged')).rejects.toThrow('the connection is gone');
    world.deps = deps;
    expect(await viewReconciliation(deps, world.accountId)).toMatchObject({
      undecided: [],
      resolved: [{ verdict: 'charged', note: 'Called the provider', by: 'ana@maple.example' }],
    });
  });

  it('is not released while one of the gateway’s indexes lags behind', async () => {
    const { world, resolve } = await makeInReview(true);
    const { find } = world.gateway.script;
    world.gateway.script.find = (by) => ('attemptId' in by ? [] : find(by));
    expect((await resolve('not-charged')).kind).toBe('contradicted');
    expect((await resolve('charged')).kind).toBe('resolved');
  });

  it('stays in review while another payment pays its invoice, and can be released once its charge is voided', async () => {
    const { world, sale, resolve } = await makeInReview(true);
    const other = await world.sell();
    await world.db.update(paymentAttempts).set({ invoiceId: sale.invoiceId }).where(eq(paymentAttempts.id, other.id));
    const outcome = await resolve('charged');
    expect(outcome).toMatchObject({ kind: 'contradicted', why: expect.stringContaining('Another payment') });
    expect((await world.read(sale.id)).state).toBe('needs_human');
    sale.txn.isVoided = true;
    expect((await resolve('not-charged')).kind).toBe('resolved');
    // The gateway would answer another sale under the same key with the voided one.
    expect((await world.read(sale.id)).keySpent).toBe(true);
  });

  it('is released once another amount was refunded in the provider’s portal, and stays released', async () => {
    const { world, sale, resolve } = await makeInReview(true);
    sale.txn.amountCents = 19_400;
    sale.txn.batchId = 'closed';
    const refund = {
      ...sale.txn,
      id: 'refund-by-hand',
      kind: 'REFUND',
      attemptId: '',
      dedupeKey: '',
      parentId: sale.txn.id,
      createdAt: world.clock.now,
    };
    world.books.push(refund);
    const verdicts = async () => [(await resolve('charged')).kind, (await resolve('not-charged')).kind];
    // The comparison with the gateway has not run since the refund.
    expect(await verdicts()).toEqual(['contradicted', 'contradicted']);
    await runNight(world);
    refund.amountCents = 19_399;
    expect(await verdicts()).toEqual(['contradicted', 'contradicted']);
    refund.amountCents = 19_400;
    refund.isVoided = true;
    expect(await verdicts()).toEqual(['contradicted', 'contradicted']);
    refund.isVoided = false;
    expect(await verdicts()).toEqual(['contradicted', 'resolved']);

    world.clock.now += 25 * 3_600_000;
    const checkedAttempt = await inquirePaymentStatus(world.deps, await world.read(sale.id));
    expect(checkedAttempt).toMatchObject({ state: 'not_charged', nextCheckAt: null });
    await runNight(world);
    expect(await world.state()).toMatchObject([{ state: 'not_charged', localStatus: 'none', booked: [] }]);
  });

  it('stays in review for two charges, another amount, no answer or another account', async () => {
    const { world, sale, resolve } = await makeInReview(true);
    world.books.push({ ...sale.txn, id: 'second' });
    expect((await resolve('charged')).kind).toBe('contradicted');
    world.books.pop();
    sale.txn.amountCents = 1;
    expect((await resolve('charged')).kind).toBe('contradicted');
    world.gateway.script.find = () => 'unavailable';
    expect((await resolve('charged')).kind).toBe('unavailable');
    expect((await resolve('charged', { ...world.merchant, accountId: 1 })).kind).toBe('not-found');
    expect(await world.state()).toMatchObject([{ state: 'needs_human', booked: [] }]);
  });
});
