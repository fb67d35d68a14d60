import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { paymentForm } from '#tests/support/pay-form';
import { invoices, paymentAttempts } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolvePayment } from './resolve-payment.ts';

const newOrderId = () => crypto.randomUUID().replaceAll('-', '');

/** Adds a charge at the gateway for the world's invoice, without an attempt in our database. */
function addLostCharge(world: LedgerPair, overrides: Partial<GatewayTransaction> = {}): GatewayTransaction {
  const dedupeKey = `INV-${world.invoiceId}-1`;
  const txn = gatewayOnlyTransaction(world, { attemptId: newOrderId(), dedupeKey, amountCents: 18_400, ...overrides });
  world.books.push(txn);
  return txn;
}

const payByLink = (world: LedgerPair) => takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });

describe('a charge whose attempt was lost', () => {
  it('goes to manual review and blocks further payments of its invoice', async () => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world);
    const { undecided } = await runNight(world);
    expect(undecided).toHaveLength(1);
    expect(await world.read(txn.attemptId)).toMatchObject({
      state: 'needs_human',
      invoiceId: world.invoiceId,
      collection: 1,
      amountCents: 18_400,
      channel: 'link',
      dedupeKey: txn.dedupeKey,
      receiptTo: 'marta@example.test',
      createdAt: txn.createdAt,
      needsHumanFrom: '',
    });
    expect(world.logs).toContain('lost-payment-found');
    expect((await payByLink(world)).kind).toBe('pending');
    expect(world.gateway.charges).toEqual([]);
  });

  it('stays in review over several nights, and is booked by one decision', async () => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world);
    for (let night = 0; night < 3; night++) {
      world.clock.now += 24 * 3_600_000;
      await runNight(world);
    }
    expect((await world.attempts()).map(({ state }) => state)).toEqual(['needs_human']);
    const decision = { verdict: 'charged', note: 'It is on the statement.' } as const;
    expect((await resolvePayment(world.deps, world.merchant, txn.attemptId, decision)).kind).toBe('resolved');
    expect(await world.ledger()).toMatchObject([{ providerTxnId: txn.id, amountCents: 18_400, kind: 'payment' }]);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect((await payByLink(world)).kind).toBe('already-paid');
    expect((await runNight(world)).differences).toEqual([]);
  });

  it.each(['pending', 'other'] as const)('is found when it is a bank debit in the state %s', async (state) => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world, { kind: 'DEBIT', state });
    await runNight(world);
    expect(await world.read(txn.attemptId)).toMatchObject({ state: 'needs_human', method: 'ach' });
    expect((await payByLink(world)).kind).toBe('pending');
  });

  it('is found by the invoice id when the invoice has no number', async () => {
    const world = await makeLedgerPair();
    await world.db.update(invoices).set({ number: '' }).where(eq(invoices.invoiceId, world.invoiceId));
    const txn = addLostCharge(world, { dedupeKey: `${world.invoiceId}-1` });
    await runNight(world);
    expect((await world.read(txn.attemptId)).invoiceId).toBe(world.invoiceId);
  });

  it.each<[string, (world: LedgerPair) => Partial<GatewayTransaction>]>([
    ['was declined', () => ({ state: 'declined' })],
    ['was voided', () => ({ isVoided: true })],
    ['is a refund', () => ({ kind: 'REFUND', parentId: 'elsewhere' })],
    ['has an order id that is not ours', () => ({ attemptId: 'WEB-1042' })],
    ['has no invoice in its key', () => ({ dedupeKey: 'walk-in' })],
    ['is older than our terminals', (world) => ({ createdAt: world.clock.now - 40 * 86_400_000 })],
  ])('is ignored when it %s', async (_title, overrides) => {
    const world = await makeLedgerPair();
    addLostCharge(world, overrides(world));
    await runNight(world);
    expect(await world.attempts()).toEqual([]);
  });

  it('is ignored when its key is the number of another invoice', async () => {
    const world = await makeLedgerPair();
    await world.db.update(invoices).set({ number: '90210' }).where(eq(invoices.invoiceId, world.invoiceId));
    addLostCharge(world, { dedupeKey: '90210-1' });
    await runNight(world);
    expect(await world.attempts()).toEqual([]);
  });

  it('is ignored when two invoices have the number in its key', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const number = `INV-${world.invoiceId}`;
    await world.db.update(invoices).set({ number }).where(eq(invoices.invoiceId, sale.invoiceId));
    const txn = addLostCharge(world);
    await runNight(world);
    expect(await world.db.$count(paymentAttempts, eq(paymentAttempts.id, txn.attemptId))).toBe(0);
  });
});
