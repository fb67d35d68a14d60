import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { paymentForm } from '#tests/support/pay-form';
import { makeCounter } from '#tests/support/terminals';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { approvedOutcome, lostOutcome, transaction } from '#tests/support/unit/world';
import { invoices, paymentAttempts } from '#worker/data/schema/schema';
import { closeParts } from '#worker/domain/installments/open-and-close';
import type { Merchant } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { settle } from '#worker/domain/payments/settle';
import { takePayment } from '#worker/domain/payments/take-payment';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
import { viewToday } from '#worker/domain/today/view-today';

const DAY_MS = 24 * 3_600_000;
const newOrderId = () => crypto.randomUUID().replaceAll('-', '');
const admin = ({ accountId }: { accountId: number }): Merchant => ({
  sessionId: 's',
  accountId,
  userId: 1,
  role: 'admin',
});

/** An invoice with two payments. The first lost its answer and counts as not charged, and the second was voided. */
async function makeReleasedAndVoided() {
  const world = await makeLedgerPair();
  const pay = () => takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
  world.gateway.script.charge = () => lostOutcome;
  await pay();
  const [first] = await world.attempts();
  const [request] = world.gateway.charges;
  if (!first || !request) throw new Error('nothing was sent');
  const at = world.clock.now;
  await settle(world.deps, first, { to: 'not_charged', from: ['unknown'], at, nextCheckAt: at + DAY_MS });
  world.gateway.script.charge = approvedOutcome;
  expect((await pay()).kind).toBe('approved');
  const approvedAttempt = (await world.attempts()).find(({ state }) => state === 'approved');
  if (!approvedAttempt) throw new Error('not paid');
  const [, second] = world.gateway.charges;
  world.books.push(transaction(second ?? request, { isVoided: true }));
  await runNight(world);
  expect((await world.invoiceRow())?.localStatus).toBe('voided');
  /** Makes the first charge appear at the gateway. */
  const appear = async () => {
    world.books.push(transaction(request));
    return inquirePaymentStatus(world.deps, await world.read(first.id));
  };
  return { world, pay, appear, merchant: admin(world), first };
}

describe('a charge that appears after it was released as not charged', () => {
  it('keeps staff from reopening the invoice for a day', async () => {
    const { world, merchant } = await makeReleasedAndVoided();
    expect((await reopenInvoice(world.deps, merchant, world.invoiceId)).kind).toBe('not-now');
    world.clock.now += DAY_MS;
    expect((await reopenInvoice(world.deps, merchant, world.invoiceId)).kind).toBe('open');
  });

  it('blocks another payment of a reopened invoice', async () => {
    const { world, merchant, pay, appear } = await makeReleasedAndVoided();
    world.clock.now += DAY_MS;
    await reopenInvoice(world.deps, merchant, world.invoiceId);
    expect((await appear()).state).toBe('needs_human');
    const chargeCount = world.gateway.charges.length;
    expect((await pay()).kind).toBe('pending');
    expect(world.gateway.charges).toHaveLength(chargeCount);
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'pending' });
  });

  it('marks a reopened invoice paid when staff decide that it was charged', async () => {
    const { world, merchant, pay, appear, first } = await makeReleasedAndVoided();
    world.clock.now += DAY_MS;
    await reopenInvoice(world.deps, merchant, world.invoiceId);
    await appear();
    const decision = { verdict: 'charged', note: 'It is on the statement.' } as const;
    expect((await resolvePayment(world.deps, merchant, first.id, decision)).kind).toBe('resolved');
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect((await pay()).kind).toBe('already-paid');
  });

  it('is not booked in addition to the payment of the next collection', async () => {
    const { world, merchant, pay, appear, first } = await makeReleasedAndVoided();
    world.clock.now += DAY_MS;
    await reopenInvoice(world.deps, merchant, world.invoiceId);
    expect((await pay()).kind).toBe('approved');
    await appear();
    const decision = { verdict: 'charged', note: 'It is on the statement.' } as const;
    expect(await resolvePayment(world.deps, merchant, first.id, decision)).toMatchObject({
      kind: 'contradicted',
      why: expect.stringContaining('Another payment of this invoice'),
    });
  });

  it('blocks further payment after installments were closed', async () => {
    const world = await makePartWorld();
    world.gateway.script.charge = () => lostOutcome;
    await world.pay('50.00');
    const [first] = await world.attempts();
    if (!first) throw new Error('nothing was sent');
    await settle(world.deps, first, { to: 'not_charged', from: ['unknown'], at: world.clock.now });
    world.clock.now += DAY_MS;
    world.gateway.script.charge = approvedOutcome;
    await world.pay('50.00');
    expect((await closeParts(world.deps, world.manager, world.invoiceId)).kind).toBe('closed');
    await settle(world.deps, first, { to: 'needs_human', from: ['not_charged'], at: world.clock.now });
    expect((await world.pay(null)).kind).toBe('pending');
    expect(world.gateway.charges).toHaveLength(2);
  });

  it('allows only its own amount for a day when the CRM shows another amount', async () => {
    const world = await makeLedgerPair();
    const pay = () => takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
    world.gateway.script.charge = () => lostOutcome;
    await pay();
    const [first] = await world.attempts();
    if (!first) throw new Error('nothing was sent');
    await settle(world.deps, first, { to: 'not_charged', from: ['unknown'], at: world.clock.now });
    world.gateway.script.charge = approvedOutcome;
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents: 9_000 };
    expect(await pay()).toMatchObject({ kind: 'part-refused', message: expect.stringContaining('$184.00') });
    expect(world.gateway.charges).toHaveLength(1);
    world.clock.now += DAY_MS + 1;
    expect((await pay()).kind).toBe('approved');
  });
});

describe('a payment after a released payment', () => {
  it.each([
    ['card', 'ach'],
    ['ach', 'card'],
  ] as const)(
    'waits a day when the first was by %s and this one is by %s, since the gateway compares each method separately',
    async (firstMethod, otherMethod) => {
      const world = await makeLedgerPair();
      const pay = (paymentType: 'card' | 'ach') =>
        takePayment(world.deps, world.payId, paymentForm({ paymentType }), { clientIp: null });
      world.gateway.script.charge = () => lostOutcome;
      await pay(firstMethod);
      const [releasedAttempt] = await world.attempts();
      if (!releasedAttempt) throw new Error('nothing was sent');
      await settle(world.deps, releasedAttempt, { to: 'not_charged', from: ['unknown'], at: world.clock.now });
      expect(await pay(otherMethod)).toMatchObject({
        kind: 'part-refused',
        message: expect.stringContaining('$184.00'),
      });
      expect(world.gateway.charges).toHaveLength(1);
      world.gateway.script.charge = approvedOutcome;
      expect((await pay(firstMethod)).kind).toBe('approved');
    },
  );
});

describe('a charge lost in a restore', () => {
  const addLostCharge = (world: LedgerPair, dedupeKey: string, amountCents = 18_400) => {
    const txn = gatewayOnlyTransaction(world, { attemptId: newOrderId(), dedupeKey, amountCents });
    world.books.push(txn);
    return txn;
  };
  const pay = (world: LedgerPair) => takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });

  it.each([2, 3])('blocks payments of an invoice in collection %i, which the restored data lack', async (n) => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world, `${world.invoiceId}-${n}`);
    await runNight(world);
    expect(await world.read(txn.attemptId)).toMatchObject({ state: 'needs_human', collection: n });
    expect((await pay(world)).kind).toBe('pending');
    expect(world.gateway.charges).toEqual([]);
  });

  it('is found after the invoice number changed', async () => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world, `${world.invoiceId}-1`);
    await world.db.update(invoices).set({ number: 'RE-9' }).where(eq(invoices.invoiceId, world.invoiceId));
    await runNight(world);
    expect((await world.read(txn.attemptId)).invoiceId).toBe(world.invoiceId);
  });

  it('leaves the rest owed after a partial charge, frozen until staff decide what is owed', async () => {
    const world = await makeLedgerPair();
    const txn = addLostCharge(world, `${world.invoiceId}-1`, 5_000);
    await runNight(world);
    const decision = { verdict: 'charged', note: 'It is on the statement.' } as const;
    expect((await resolvePayment(world.deps, world.merchant, txn.attemptId, decision)).kind).toBe('resolved');
    expect(await world.invoiceRow()).toMatchObject({
      localStatus: 'none',
      partBaseCents: 18_400,
      partPaidCents: 5_000,
    });
    expect((await viewToday(world.deps, world.accountId)).owed).toEqual({ count: 1, amount: '134.00' });
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'changed' });
    expect((await pay(world)).kind).toBe('frozen');
  });
});

describe('two invoices with the same number and amount', () => {
  it('are each charged, although the gateway charges a key and an amount only once', async () => {
    const world = await makeCounter();
    const answers = new Map<string, ReturnType<typeof approvedOutcome>>();
    world.gateway.script.charge = (request) => {
      const key = `${request.dedupeKey} ${request.amountCents}`;
      const outcome = answers.get(key) ?? approvedOutcome(request);
      answers.set(key, outcome);
      return outcome;
    };
    expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
    const otherInvoiceId = `${world.invoiceId}7`;
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, id: otherInvoiceId };
    const link = await issuePayLink(world.deps, world.accountId, otherInvoiceId);
    const outcome = await takePayment(world.deps, link?.payId ?? '', paymentForm(), { clientIp: null });
    expect(outcome.kind).toBe('approved');
    const deskInvoiceId = `${world.invoiceId}8`;
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, id: deskInvoiceId };
    await world.start({ invoiceId: deskInvoiceId });
    const keys = (await world.db.select().from(paymentAttempts)).map(({ dedupeKey }) => dedupeKey);
    expect(keys.sort()).toEqual([`${world.invoiceId}-1`, `${otherInvoiceId}-1`, `${deskInvoiceId}-1`]);
  });
});
