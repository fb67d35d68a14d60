import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { decimalFromCents } from '#shared/money';
import { makeCounter } from '#tests/support/terminals';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { approvedOutcome, lostOutcome, transaction } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import type { Merchant } from '#worker/domain/merchants/session';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
import { settleReversal } from '#worker/domain/refunds/settle-reversal';
import { runSchedule } from '#worker/domain/run-schedule';
import { viewToday } from '#worker/domain/today/view-today';
import { closeParts, openParts, switchParts } from './open-and-close.ts';

const DAY = 86_400_000;

/** Pays a part of $50.00 whose answer is lost, and which counts as not charged once its hold is over. */
async function payWithoutCharge({ world, pay }: PartWorld) {
  world.gateway.script.charge = () => lostOutcome;
  await pay('50.00');
  world.gateway.script.charge = approvedOutcome;
  let [attempt] = await world.attempts();
  while (attempt?.state === 'unknown' && attempt.checks < 20) {
    world.clock.now += 10 * 60_000;
    attempt = await inquirePaymentStatus(world.deps, attempt);
  }
  if (attempt?.state !== 'not_charged') throw new Error(`the part was ${attempt?.state}`);
  return attempt;
}

/** Refunds a payment in full or in part. */
async function refundPart({ db, deps, manager, attempts, clock }: PartWorld, part: number, cents: number) {
  const attempt = (await attempts()).find((candidate) => candidate.part === part && candidate.state === 'approved');
  if (!attempt) throw new Error('there is no such part');
  const [reversal] = await db
    .insert(reversals)
    .values({
      id: deps.newId(),
      accountId: attempt.accountId,
      attemptId: attempt.id,
      invoiceId: attempt.invoiceId,
      kind: 'refund',
      amountCents: cents,
      dedupeKey: 'k',
      requestKey: deps.newId(),
      reason: 'Billed twice',
      requestedBy: manager.userId,
      state: 'sent',
      holdUntil: 0,
      createdAt: clock.now,
    })
    .returning();
  if (!reversal) throw new Error('it was not written');
  const txnId = `back-${reversal.id}`;
  await settleReversal(deps, reversal, attempt, { to: 'approved', from: ['sent'], at: clock.now, txnId });
}

describe('an invoice paid in installments', () => {
  it('is paid when its installments reach the base, each charged once under its own key', async () => {
    const world = await makePartWorld();
    expect(await world.pay('50.00')).toMatchObject({ kind: 'approved', attempt: { part: 1, amountCents: 5_000 } });
    expect(await world.invoiceRow()).toMatchObject({
      localStatus: 'none',
      partBaseCents: 18_400,
      partPaidCents: 5_000,
    });
    expect(await world.pay('50.00')).toMatchObject({ kind: 'approved', attempt: { part: 2 } });
    expect(await viewLink(world.deps, world.payId)).toMatchObject({
      kind: 'ready',
      view: { invoice: { amountDue: '84.00' } },
    });
    expect(await world.pay(null, { amountShown: '84.00' })).toMatchObject({ kind: 'approved', attempt: { part: 3 } });
    expect(world.charged()).toEqual([
      [5_000, world.key('1')],
      [5_000, world.key('1.2')],
      [8_400, world.key('1.3')],
    ]);
    expect((await world.ledger()).map(({ amountCents }) => amountCents)).toEqual([5_000, 5_000, 8_400]);
    expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', partPaidCents: 18_400 });
    expect((await world.pay('50.00')).kind).toBe('already-paid');
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(3);
  });

  it.each([
    ['19.99', 'less than the smallest part'],
    ['164.01', 'an amount that leaves too little'],
    ['184.01', 'more than is owed'],
    ['0.00', 'nothing'],
    ['-50.00', 'a negative amount'],
    ['50.001', 'a fraction of a cent'],
    ['fifty', 'not a number'],
  ])('rejects an installment of %s: %s', async (amount) => {
    const world = await makePartWorld();
    const outcome = await world.pay(amount);
    expect(outcome).toEqual({ kind: 'part-refused', message: 'Enter $20.00 to $164.00, or $184.00.' });
    expect(world.gateway.charges).toEqual([]);
  });

  it('is not charged in full when an installment was requested after installments were closed', async () => {
    const world = await makePartWorld();
    expect(await closeParts(world.deps, world.manager, world.invoiceId)).toEqual({ kind: 'closed', leftCents: 18_400 });
    expect((await world.pay('50.00')).kind).toBe('amount-changed');
    expect(world.gateway.charges).toEqual([]);
    expect(await world.pay(null)).toMatchObject({ kind: 'approved', attempt: { amountCents: 18_400, part: 1 } });
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
  });

  it('rejects a bank debit', async () => {
    const world = await makePartWorld();
    expect((await world.pay('50.00', { paymentType: 'ach' })).kind).toBe('part-refused');
  });

  it('accepts one of many concurrent payers, and never exceeds the base', async () => {
    const world = await makePartWorld();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => world.pay('100.00')));
    expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(1);
    expect(world.charged()).toEqual([[10_000, world.key('1')]]);
    expect((await world.pay('100.00')).kind).toBe('part-refused');
    expect((await world.pay('84.00')).kind).toBe('approved');
  });

  it('answers a repeated form or token with the installment that it paid', async () => {
    const world = await makePartWorld();
    const form = { attemptId: 'form-0001', paymentDetails: 'jwt-1' };
    await world.pay('50.00', form);
    expect(await world.pay('50.00', form)).toMatchObject({ kind: 'approved', attempt: { part: 1 } });
    expect(await world.pay('50.00', { ...form, paymentDetails: 'jwt-2' })).toMatchObject({ attempt: { part: 1 } });
    expect(world.gateway.charges).toHaveLength(1);
  });

  it('blocks payers, online and at the desk, while an installment is at the desk or unknown', async () => {
    const world = await makePartWorld();
    expect((await world.start({ part: { amount: '50.00' } })).kind).toBe('started');
    expect((await world.pay('50.00')).kind).toBe('at-the-desk');
    const other = await makePartWorld();
    other.gateway.script.charge = () => lostOutcome;
    expect((await other.pay('50.00')).kind).toBe('pending');
    expect((await other.start({ part: { amount: '50.00' } })).kind).toBe('being-paid');
    expect((await other.pay('60.00')).kind).toBe('pending');
  });

  it('applies the same limits to an installment at the desk', async () => {
    const world = await makePartWorld();
    expect((await world.sell({ part: { amount: '180.00' } })).kind).toBe('part-refused');
    expect((await world.sell({ part: { amount: '50.00' } })).kind).toBe('started');
    expect(world.gateway.sales).toMatchObject([{ amountCents: 5_000, dedupeKey: world.key('1') }]);
    expect(await world.invoiceRow()).toMatchObject({ localStatus: 'none', partPaidCents: 5_000 });
  });

  it('accepts only the same amount for a day after an installment was released as not charged', async () => {
    const world = await makePartWorld();
    await payWithoutCharge(world);
    expect(await world.pay('60.00')).toMatchObject({
      kind: 'part-refused',
      message: expect.stringContaining('$50.00'),
    });
    expect(await closeParts(world.deps, world.manager, world.invoiceId)).toEqual({ kind: 'not-now' });
    expect(await world.pay('50.00')).toMatchObject({ kind: 'approved', attempt: { part: 1 } });
    const other = await makePartWorld();
    await payWithoutCharge(other);
    other.clock.now += DAY;
    expect(await other.pay('60.00')).toMatchObject({ kind: 'approved', attempt: { part: 1, amountCents: 6_000 } });
  });

  it('puts a late charge in manual review after another amount was paid, and does not let it be booked', async () => {
    const world = await makePartWorld();
    const first = await payWithoutCharge(world);
    world.clock.now += DAY;
    expect((await world.pay('60.00')).kind).toBe('approved');
    const [request] = world.gateway.charges;
    if (!request) throw new Error('nothing was sent');
    world.gateway.script.find = (by) => ('attemptId' in by && by.attemptId === first.id ? [transaction(request)] : []);
    await inquirePaymentStatus(world.deps, first);
    expect((await world.attempts()).map(({ state }) => state).sort()).toEqual(['approved', 'needs_human']);
    expect((await world.pay('50.00')).kind).toBe('pending');
    const decisionOutcome = await resolvePayment(world.deps, world.manager, first.id, {
      verdict: 'charged',
      note: 'Seen there',
    });
    expect(decisionOutcome).toMatchObject({ kind: 'contradicted', why: expect.stringContaining('Another payment') });
    expect(await world.ledger()).toHaveLength(1);
  });
});

describe('a refunded installment', () => {
  it.each([
    [5_000, 13_400],
    [2_000, 10_400],
  ])('is owed again for %i cents on an unfinished invoice, and payable at once', async (cents, remainingCents) => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await world.pay('50.00');
    await refundPart(world, 2, cents);
    expect((await world.invoiceRow())?.localStatus).toBe('none');
    expect((await viewToday(world.deps, world.accountId)).owed).toEqual({
      count: 1,
      amount: decimalFromCents(remainingCents),
    });
    expect(await viewLink(world.deps, world.payId)).toMatchObject({
      kind: 'ready',
      view: { invoice: { amountDue: decimalFromCents(remainingCents) } },
    });
    expect(await world.pay(null)).toMatchObject({
      kind: 'approved',
      attempt: { amountCents: remainingCents, collection: 1 },
    });
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
  });

  it('leaves a paid invoice paid, and staff can reopen only the refunded amount', async () => {
    const world = await makePartWorld();
    await world.pay('84.00');
    await world.pay('100.00');
    await refundPart(world, 1, 8_400);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect((await world.pay(null)).kind).toBe('already-paid');
    expect(await reopenInvoice(world.deps, world.manager, world.invoiceId)).toMatchObject({
      kind: 'open',
      collection: 2,
    });
    expect(await world.pay(null)).toMatchObject({ kind: 'approved', attempt: { amountCents: 8_400, collection: 2 } });
  });

  it('can be paid again after the last installment the invoice allows', async () => {
    const world = await makePartWorld();
    await closeParts(world.deps, world.manager, world.invoiceId);
    await openParts(world.deps, world.manager, world.invoiceId, { minCents: 100, deposit: null });
    for (let n = 1; n < 12; n++) await world.pay('1.00');
    await refundPart(world, 3, 50);
    expect(await world.pay(null)).toMatchObject({ kind: 'approved', attempt: { amountCents: 17_350 } });
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
  });
});

describe('installments of an invoice', () => {
  it('are opened only if the account allows them, once, with the CRM’s current amount', async () => {
    const world = await makeCounter();
    const manager: Merchant = { ...world.ana, role: 'manager' };
    const openWith = (terms = {}) =>
      openParts(world.deps, manager, world.invoiceId, { minCents: null, deposit: null, ...terms });
    expect(await openWith()).toEqual({ kind: 'off' });
    await switchParts(world.deps, manager, true);
    expect(await openWith({ minCents: 9_201 })).toMatchObject({ kind: 'bad-terms', field: 'min' });
    expect(await openWith({ deposit: { cents: 17_000 } })).toMatchObject({ kind: 'bad-terms', field: 'deposit' });
    expect(await openWith({ deposit: { percent: 25 } })).toEqual({
      kind: 'opened',
      baseCents: 18_400,
      minCents: 1_840,
      depositCents: 4_600,
    });
    expect((await openWith()).kind).toBe('not-now');
  });

  it('are not opened during a payment, and leave the remaining amount owed when closed', async () => {
    const world = await makeCounter();
    const manager: Merchant = { ...world.ana, role: 'manager' };
    await switchParts(world.deps, manager, true);
    await world.start();
    const terms = { minCents: 2_000, deposit: null };
    expect((await openParts(world.deps, manager, world.invoiceId, terms)).kind).toBe('not-now');
    const other = await makePartWorld();
    await other.pay('50.00');
    expect(await closeParts(other.deps, other.manager, other.invoiceId)).toEqual({ kind: 'closed', leftCents: 13_400 });
    expect(await other.pay('50.00')).toEqual({ kind: 'part-refused', message: 'Enter $134.00.' });
    expect(await other.pay(null)).toMatchObject({ kind: 'approved', attempt: { amountCents: 13_400 } });
  });

  it('never change their base once opened', async () => {
    const world = await makePartWorld();
    const change = env.DB.prepare('UPDATE collections SET base_cents = base_cents + 1 WHERE invoice_id = ?');
    await expect(change.bind(world.invoiceId).run()).rejects.toThrow(/never changes/);
  });

  it('are limited to twelve, and the last one is for the whole remaining amount', async () => {
    const world = await makePartWorld();
    await closeParts(world.deps, world.manager, world.invoiceId);
    await openParts(world.deps, world.manager, world.invoiceId, { minCents: 100, deposit: null });
    for (let n = 1; n < 12; n++) expect((await world.pay('1.00')).kind).toBe('approved');
    expect(await world.pay('1.00')).toEqual({ kind: 'part-refused', message: 'Enter $173.00.' });
    expect(await world.pay(null)).toMatchObject({ kind: 'approved', attempt: { part: 12 } });
  });
});
