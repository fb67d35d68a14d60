import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { paidWorld } from '#tests/support/unit/paid-world';
import { freshId, transaction } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import { accounts, dailyTotals, paymentAttempts } from '#worker/data/schema/schema';
import { readReceipt } from '#worker/domain/mail/receipt';
import { takePayment } from '#worker/domain/payments/take-payment';
import { mailReceipt } from '#worker/domain/preview/mail-invoice';
import { runSchedule } from '../run-schedule.ts';
import { reopenInvoice } from './reopen-invoice.ts';
import { viewReversal } from './view-reversal.ts';

/** Values for the columns that two payments may not share. */
const UNIQUE_COLUMNS = { tokenHash: null, attemptKey: null, dedupeKey: 'x', payId: null, providerTxnId: 'x' };

describe('reversing a payment', () => {
  it('voids it in full while its batch is open, with ledger, local status, day total, receipt and email', async () => {
    const { world, reverse, deps, attempt, merchant, db } = await paidWorld('open');
    await runSchedule(deps);
    expect(await viewReversal(deps, merchant, attempt.id)).toMatchObject({
      view: { offer: { kind: 'void', left: '184.00' } },
    });
    expect(await reverse({ kind: 'void', amountCents: null })).toMatchObject({ reversal: { state: 'approved' } });
    expect(await world.ledger()).toMatchObject([
      { kind: 'payment', amountCents: 18_400 },
      { kind: 'void', amountCents: -18_400 },
    ]);
    expect(await world.attempts()).toMatchObject([{ state: 'voided', refundedCents: 18_400 }]);
    expect((await world.invoiceRow())?.localStatus).toBe('voided');
    expect(await readReceipt(deps, attempt.receiptId)).toMatchObject({
      status: 'Voided',
      leftIs: 'Charged',
      left: '$0.00 USD',
    });
    const [day] = await db.select().from(dailyTotals).where(eq(dailyTotals.accountId, world.accountId));
    expect(day?.netCents).toBe(0);
    expect(JSON.parse(day?.statuses ?? '{}')).toEqual({ approved: 0, voided: 1 });
    await runSchedule(deps);
    expect(world.mails).toHaveLength(2);
    expect(world.mails[1]?.subject).toMatch(/^Voided payment for invoice /);
  });

  it('refunds it in parts up to the remaining amount, and no more', async () => {
    const { world, reverse, deps, attempt } = await paidWorld();
    expect(await reverse({ amountCents: 7_110 })).toMatchObject({
      reversal: { state: 'approved', amountCents: 7_110 },
    });
    expect(await world.attempts()).toMatchObject([{ state: 'approved', refundedCents: 7_110 }]);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect(await readReceipt(deps, attempt.receiptId)).toMatchObject({ status: 'Partly refunded' });
    expect(await reverse({ amountCents: 11_291 })).toEqual({ kind: 'bad-amount', leftCents: 11_290 });
    expect(await reverse({ amountCents: 11_290 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(await world.attempts()).toMatchObject([{ state: 'refunded', refundedCents: 18_400 }]);
    expect((await world.invoiceRow())?.localStatus).toBe('refunded');
    expect(await reverse()).toEqual({ kind: 'not-offered', why: 'This payment was refunded in full.' });
    // Each refund has its own order number at the gateway, which counts the refunds made.
    const key = `${attempt.dedupeKey}-${attempt.providerTxnId}-r`;
    expect(
      await deps.db.select({ dedupeKey: reversals.dedupeKey }).from(reversals).orderBy(reversals.createdAt),
    ).toEqual([{ dedupeKey: `${key}1` }, { dedupeKey: `${key}2` }]);
    expect((await world.ledger()).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
  });

  it('emails the payer without using up the emails that staff may send', async () => {
    const { world, reverse, deps, merchant } = await paidWorld();
    await reverse({ amountCents: 100 });
    expect((await world.outbox()).map(({ kind }) => kind)).toEqual(['receipt', 'receipt']);
    expect((await mailReceipt(deps, merchant, world.invoiceId)).kind).toBe('sent');
  });

  it('records the batch of the refund even if another has opened, or none if the gateway reports none', async () => {
    const { world, reverse, books, deps, merchant, attempt } = await paidWorld();
    const first = await reverse({ amountCents: 100 });
    books.refundBatch = '9';
    books.answersToLose = 1;
    const second = await reverse({ amountCents: 200 });
    books.refundBatch = '';
    await reverse({ amountCents: 300 });
    expect([first, second]).toMatchObject([{ reversal: { batchId: '8' } }, { reversal: { batchId: '9' } }]);
    const result = await viewReversal(deps, merchant, attempt.id);
    if (result.kind !== 'view') throw new Error(result.kind);
    expect(new Map(result.view.reversals.map(({ amount, batch_id }) => [amount, batch_id]))).toEqual(
      new Map([
        ['1.00', '8'],
        ['2.00', '9'],
        ['3.00', ''],
      ]),
    );
    expect(await world.ledger()).toHaveLength(4);
  });

  it('offers either a void or a refund, and neither while the batch is being closed', async () => {
    const openWorld = await paidWorld('open');
    expect(await openWorld.reverse()).toMatchObject({ kind: 'not-offered', why: expect.stringContaining('void') });
    openWorld.books.batchStatus = 'pending';
    expect(await openWorld.reverse()).toMatchObject({
      kind: 'not-offered',
      why: expect.stringContaining('being closed'),
    });
    openWorld.books.batchStatus = 'closed';
    expect(await openWorld.reverse({ kind: 'void' })).toMatchObject({
      kind: 'not-offered',
      why: expect.stringContaining('refund'),
    });
    expect(openWorld.books.calls).toBe(0);
  });

  it('is allowed to administrators and, within an allowance that starts at zero, to managers', async () => {
    const { reverse, merchant, books } = await paidWorld();
    for (const role of ['reader', 'desk', 'manager'] as const)
      expect(await reverse({}, { ...merchant, role })).toEqual({ kind: 'forbidden' });
    expect(await reverse({}, { ...merchant, accountId: merchant.accountId + 1 })).toEqual({ kind: 'not-found' });
    expect(books.calls).toBe(0);
  });

  it('holds a manager to the 24-hour allowance, which refused refunds do not use up', async () => {
    const { world, reverse, merchant, db, deps, attempt, reversals: rows } = await paidWorld();
    await db.update(accounts).set({ refundLimitCents: 10_000 });
    const manager = { ...merchant, role: 'manager' } as const;
    const refund = (amountCents: number, requestKey = `key-${freshId()}`) =>
      reverse({ amountCents, requestKey }, manager);
    expect(await viewReversal(deps, manager, attempt.id)).toMatchObject({
      view: { offer: { left: '184.00', may_refund: '100.00' } },
    });
    expect(await refund(10_001)).toEqual({ kind: 'above-allowance', allowedCents: 10_000 });
    expect(await refund(7_110, 'the-same-form-1')).toMatchObject({ reversal: { state: 'approved' } });
    expect(await refund(2_891)).toEqual({ kind: 'above-allowance', allowedCents: 2_890 });
    const { script } = world.gateway;
    const originalReverse = script.reverse;
    const refusal = {
      kind: 'refused',
      reason: 'over-remainder',
      message: 'No.',
      providerCode: '025',
      exchangeId: 'x',
    } as const;
    script.reverse = async () => refusal;
    expect(await refund(2_890)).toMatchObject({ reversal: { state: 'refused' } });
    script.reverse = originalReverse;
    expect(await refund(2_890)).toMatchObject({ reversal: { state: 'approved' } });
    const explanation = 'You have used up your refund limit for 24 hours. Ask an administrator.';
    expect(await refund(1)).toEqual({ kind: 'not-offered', why: explanation });
    expect(await refund(7_110, 'the-same-form-1')).toMatchObject({ reversal: { amountCents: 7_110 } });
    expect(await viewReversal(deps, manager, attempt.id)).toMatchObject({
      view: { offer: { kind: null, why: explanation } },
    });
    world.clock.now += 24 * 3_600_000;
    expect(await refund(5_000)).toMatchObject({ reversal: { state: 'approved' } });
    expect(await rows()).toHaveLength(4);
  });

  it('rejects a manager’s void above the allowance', async () => {
    const { reverse, merchant, db, books } = await paidWorld('open');
    await db.update(accounts).set({ refundLimitCents: 18_399 });
    const manager = { ...merchant, role: 'manager' } as const;
    expect(await reverse({ kind: 'void', amountCents: null }, manager)).toEqual({
      kind: 'not-offered',
      why: 'A void always covers the whole payment. You can refund up to $183.99 now. Ask an administrator.',
    });
    await db.update(accounts).set({ refundLimitCents: 18_400 });
    expect(await reverse({ kind: 'void', amountCents: null }, manager)).toMatchObject({ kind: 'reversal' });
    expect(books.calls).toBe(1);
  });

  it('holds a manager to the allowance when refunding another payment at the same moment', async () => {
    const { world, reverse, merchant, db, books, attempt } = await paidWorld();
    await db.update(accounts).set({ refundLimitCents: 10_000 });
    const second = {
      id: 'other',
      accountId: world.accountId,
      attemptId: 'x',
      invoiceId: 'x',
      kind: 'refund',
      amountCents: 6_000,
      dedupeKey: 'other',
      requestKey: 'other',
      reason: '',
      requestedBy: merchant.userId,
      holdUntil: 0,
    } as const;
    const listBatches = world.deps.gateway.listBatches;
    world.deps.gateway = {
      ...world.deps.gateway,
      // Runs after the allowance is read and before the payment is claimed.
      listBatches: async (...args) => {
        await db
          .insert(paymentAttempts)
          .values({ ...attempt, id: 'x', receiptId: 'x', invoiceId: 'x', ...UNIQUE_COLUMNS });
        await db.insert(reversals).values({ ...second, kind: 'refund', createdAt: world.clock.now });
        return listBatches(...args);
      },
    };
    expect(await reverse({ amountCents: 4_001 }, { ...merchant, role: 'manager' })).toMatchObject({
      kind: 'not-offered',
    });
    expect(books.calls).toBe(0);
  });

  it('never refunds more than was paid, however many requests arrive at the same moment', async () => {
    const { world, reverse, books, reversals: rows } = await paidWorld();
    const amounts = [4_000, 18_400, 9_000, 1, 18_399, 6_000];
    for (let round = 0; round < 3; round++)
      await Promise.all(amounts.flatMap((amountCents) => [reverse({ amountCents }), reverse({ amountCents })]));
    const refundedCents = books.transactions
      .filter(({ kind }) => kind === 'REFUND')
      .reduce((sum, txn) => sum + (txn.amountCents ?? 0), 0);
    const bookedCents = (await world.ledger())
      .filter(({ kind }) => kind === 'refund')
      .reduce((sum, row) => sum - row.amountCents, 0);
    expect(refundedCents).toBeLessThanOrEqual(18_400);
    expect(bookedCents).toBe(refundedCents);
    expect((await world.attempts())[0]?.refundedCents).toBe(refundedCents);
    expect((await rows()).every(({ state }) => state === 'approved' || state === 'refused')).toBe(true);
  });

  it('makes one reversal per form, even if it is submitted several times', async () => {
    const { reverse, books } = await paidWorld();
    const requestKey = `form-${freshId()}`;
    await Promise.all(Array.from({ length: 8 }, () => reverse({ amountCents: 1_000, requestKey })));
    expect(await reverse({ amountCents: 1_000, requestKey })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
  });

  it('refuses a form for good, even a late duplicate, after staff were told that nothing was refunded', async () => {
    const { world, reverse, books } = await paidWorld();
    const submission = { amountCents: 1_000, requestKey: `form-${freshId()}` };
    const { find } = world.gateway.script;
    const delay = Promise.withResolvers<void>();
    let lookups = 0;
    // The first request waits for the gateway, which is unavailable to the second one.
    world.gateway.script.find = (by) => (lookups++ === 0 ? delay.promise.then(() => find(by)) : 'unavailable');
    const first = reverse(submission);
    await vi.waitFor(() => expect(lookups).toBe(1));
    expect(await reverse(submission)).toEqual({ kind: 'unavailable' });
    world.gateway.script.find = find;
    delay.resolve();
    expect(await first).toMatchObject({ kind: 'not-offered' });
    expect(books.calls).toBe(0);
    expect(await reverse({ amountCents: 1_000 })).toMatchObject({ reversal: { state: 'approved' } });
  });

  it('returns the reversal that a duplicate request began while this one was refused', async () => {
    const { world, reverse, books } = await paidWorld();
    const submission = { amountCents: 1_000, requestKey: `form-${freshId()}` };
    const { find } = world.gateway.script;
    let lookups = 0;
    world.gateway.script.find = async (by) => {
      if (lookups++ > 0) return find(by);
      await reverse(submission);
      return 'unavailable';
    };
    expect(await reverse(submission)).toMatchObject({ kind: 'reversal', reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
  });

  it('looks up a lost answer without a retry', async () => {
    const { world, reverse, books } = await paidWorld();
    books.answersToLose = 1;
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
    expect(await world.attempts()).toMatchObject([{ refundedCents: 5_000 }]);
  });

  it('stays unknown while the gateway is silent, blocks another refund, and is booked once found', async () => {
    const { world, reverse, books, deps, clock } = await paidWorld();
    const { find } = world.gateway.script;
    books.answersToLose = 1;
    world.gateway.script.find = (by) => ('providerTxnId' in by ? find(by) : 'unavailable');
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'unknown' } });
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ kind: 'not-offered' });
    expect(world.logs.filter((line) => line === 'reversal-check-failed')).toHaveLength(1);
    world.gateway.script.find = find;
    clock.now += 60_000;
    await runSchedule(deps);
    expect(await world.attempts()).toMatchObject([{ refundedCents: 5_000 }]);
    expect(books.calls).toBe(1);
  });

  it('is booked without manual review when it appears between two lookups', async () => {
    const { world, books, reverse, reversals: rows } = await paidWorld();
    const { find } = world.gateway.script;
    // The index by order id lags, while the index by key already shows the refund.
    world.gateway.script.find = (by) => ('attemptId' in by ? [] : find(by));
    books.answersToLose = 1;
    expect(await reverse()).toMatchObject({ reversal: { state: 'approved', amountCents: 18_400 } });
    expect(await rows()).toMatchObject([{ state: 'approved' }]);
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual([]);
  });

  it('goes to manual review when a similar refund has another order number', async () => {
    const { world, books, reverse, attempt } = await paidWorld();
    world.gateway.script.reverse = ({ providerTxnId, ...request }) => {
      books.transactions.push(
        transaction(
          {
            attemptId: 'elsewhere',
            dedupeKey: String('dedupeKey' in request ? request.dedupeKey : ''),
            amountCents: 18_400,
            terminal: { accountId: 1, terminalId: 'T', sealedApiKey: '' },
          },
          { id: `else-${attempt.id}`, kind: 'REFUND', parentId: providerTxnId },
        ),
      );
      return { kind: 'unknown', cause: 'TimeoutError', exchangeId: '' };
    };
    expect(await reverse()).toMatchObject({ reversal: { state: 'needs_human' } });
  });

  it('counts as not done only after the hold and several empty lookups, and may then be requested again', async () => {
    const { world, reverse, books, deps, clock, reversals: rows } = await paidWorld();
    const { reverse: originalReverse } = world.gateway.script;
    world.gateway.script.reverse = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'unknown' } });
    for (let minute = 0; minute < 14; minute++) {
      clock.now += 60_000;
      await runSchedule(deps);
    }
    expect(await rows()).toMatchObject([{ state: 'unknown' }]);
    clock.now += 15 * 60_000;
    await runSchedule(deps);
    expect(await rows()).toMatchObject([{ state: 'not_done' }]);
    world.gateway.script.reverse = originalReverse;
    // The gateway would accept another amount in addition to the one that may still appear.
    expect(await reverse({ amountCents: 6_000 })).toEqual({
      kind: 'not-offered',
      why: 'An earlier refund of $50.00 may still go through. Until tomorrow, only that amount can be refunded.',
    });
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
    expect(await reverse({ amountCents: 6_000 })).toMatchObject({ reversal: { state: 'approved' } });
  });

  it('is not queried again once it counts as not done and the gateway shows that it was refused', async () => {
    const { world, reverse, books, deps, clock, reversals: rows } = await paidWorld();
    world.gateway.script.reverse = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    await reverse({ amountCents: 5_000 });
    for (let minute = 0; minute < 30; minute++) {
      clock.now += 60_000;
      await runSchedule(deps);
    }
    const [reversal] = await rows();
    expect(reversal).toMatchObject({ state: 'not_done', nextCheckAt: expect.any(Number) });
    const request = { attemptId: reversal?.id ?? '', dedupeKey: reversal?.dedupeKey ?? '', amountCents: 5_000 };
    const terminal = { accountId: 1, terminalId: 'T', sealedApiKey: '' };
    books.transactions.push(transaction({ ...request, terminal }, { kind: 'REFUND', state: 'declined' }));
    clock.now += 24 * 3_600_000;
    await runSchedule(deps);
    expect(await rows()).toMatchObject([{ state: 'not_done', nextCheckAt: null }]);
  });

  it('shows why the gateway refused, and changes nothing', async () => {
    const { world, reverse, deps, merchant, attempt } = await paidWorld();
    world.gateway.script.reverse = () => ({
      kind: 'refused',
      reason: 'other',
      message: 'Issuer unavailable',
      providerCode: '058',
      exchangeId: 'x',
    });
    expect(await reverse()).toMatchObject({ reversal: { state: 'refused', message: 'Issuer unavailable' } });
    expect(await world.attempts()).toMatchObject([{ state: 'approved', refundedCents: 0 }]);
    expect(await world.ledger()).toHaveLength(1);
    expect(await viewReversal(deps, merchant, attempt.id)).toMatchObject({
      view: {
        offer: { kind: 'refund', left: '184.00' },
        reversals: [{ state: 'refused', message: 'Issuer unavailable' }],
      },
    });
  });

  it('makes the invoice payable again only when the merchant reopens it, as the next collection', async () => {
    const { world, reverse, deps, merchant, invoiceId, payId } = await paidWorld('open');
    expect(await reopenInvoice(deps, merchant, invoiceId)).toEqual({ kind: 'not-given-back' });
    await reverse({ kind: 'void', amountCents: null });
    const pay = () => takePayment(deps, payId, paymentForm(), { clientIp: null });
    expect(await pay()).toEqual({ kind: 'not-payable-online' });
    const answers = await Promise.all([1, 2, 3].map(() => reopenInvoice(deps, merchant, invoiceId)));
    expect(answers.filter(({ kind }) => kind === 'open')).not.toHaveLength(0);
    expect(await world.invoiceRow()).toMatchObject({ collection: 2, localStatus: 'none' });
    expect(await pay()).toMatchObject({ kind: 'approved', attempt: { dedupeKey: `${invoiceId}-2` } });
  });
});
