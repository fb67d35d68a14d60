import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { freshId, makeWorld, transaction, type World } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import { dailyTotals, users } from '#worker/data/schema/schema';
import { readReceipt } from '#worker/domain/mail/receipt';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { GatewayTransaction, ReversalOutcome } from '#worker/vendors/clearent/port';
import { runSchedule } from '../run-schedule.ts';
import { reversePayment } from './refund.ts';
import { reopenInvoice } from './reopen-invoice.ts';
import { viewReversal } from './view-reversal.ts';

type Asked = { kind: 'void' | 'refund'; amountCents: number | null; requestKey: string };

/** A merchant with one card payment, at a gateway with its own books and its own rules. */
async function paidWorld(batchStatus: 'open' | 'closed' | 'pending' = 'closed') {
  const world = await makeWorld();
  const merchant = { sessionId: 's', accountId: world.accountId, userId: freshId() };
  await world.db.insert(users).values({
    accountId: world.accountId,
    userId: merchant.userId,
    email: 'a@example.test',
    isAdmin: true,
    lastLoginAt: 0,
  });
  const books = keepBooks(world, batchStatus);
  const outcome = await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
  if (outcome.kind !== 'approved') throw new Error(`the payment was ${outcome.kind}`);
  const reverse = (more: Partial<Asked> = {}, who = merchant) =>
    reversePayment(world.deps, who, outcome.attempt.id, {
      kind: 'refund',
      amountCents: 18_400,
      reason: 'Appointment cancelled',
      requestKey: `key-${freshId()}`,
      ...more,
    });
  const rows = () => world.db.select().from(reversals).where(eq(reversals.attemptId, outcome.attempt.id));
  return { ...world, world, merchant, books, attempt: outcome.attempt, reverse, reversals: rows };
}

function keepBooks(world: World, batchStatus: 'open' | 'closed' | 'pending') {
  const books = { transactions: [] as GatewayTransaction[], batchStatus, lose: 0, calls: 0 };
  const { script } = world.gateway;
  script.charge = (request) => {
    const txn = transaction(request);
    books.transactions.push(txn);
    return { kind: 'approved', txn, exchangeId: 'x' };
  };
  script.find = (by) => {
    if ('attemptId' in by) return books.transactions.filter(({ attemptId }) => attemptId === by.attemptId);
    if ('dedupeKey' in by) return books.transactions.filter(({ dedupeKey }) => dedupeKey === by.dedupeKey);
    return books.transactions.filter(({ id }) => id === by.providerTxnId);
  };
  script.batches = () => [
    {
      id: '7',
      status: books.batchStatus,
      terminalId: 'T',
      terminalName: 'Web',
      openedAt: 0,
      settledAt: null,
      salesCount: 1,
      salesCents: 18_400,
      refundCount: 0,
      refundCents: 0,
      netCents: 18_400,
      confirmationCode: '',
    },
  ];
  script.reverse = async ({ providerTxnId, reversalId, amountCents, ...request }): Promise<ReversalOutcome> => {
    books.calls++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    const payment = books.transactions.find(({ id }) => id === providerTxnId);
    const refuse = (reason: 'over-remainder' | 'already-reversed', message: string): ReversalOutcome => ({
      kind: 'refused',
      reason,
      message,
      providerCode: '025',
      exchangeId: 'x',
    });
    if (!payment || payment.isVoided) return refuse('already-reversed', 'Transaction was already reversed');
    const given = books.transactions
      .filter(({ parentId, kind }) => parentId === providerTxnId && kind === 'REFUND')
      .reduce((sum, txn) => sum + (txn.amountCents ?? 0), 0);
    const cents = amountCents ?? payment.amountCents ?? 0;
    if (given + cents > (payment.amountCents ?? 0)) return refuse('over-remainder', 'Over the refundable amount');
    const txn: GatewayTransaction = {
      ...payment,
      id: `rev-${reversalId}`,
      attemptId: reversalId,
      dedupeKey: 'dedupeKey' in request ? String(request.dedupeKey) : payment.dedupeKey,
      kind: amountCents === undefined ? 'VOID' : 'REFUND',
      amountCents: cents,
      parentId: providerTxnId,
    };
    if (amountCents === undefined) payment.isVoided = true;
    books.transactions.push(txn);
    if (books.lose-- > 0) return { kind: 'unknown', cause: 'TimeoutError', exchangeId: '' };
    return { kind: 'approved', txn, exchangeId: 'x' };
  };
  return books;
}

describe('taking a payment back', () => {
  it('voids it in full while its batch is open: ledger, local status, day, receipt and its mail follow', async () => {
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

  it('refunds it in parts up to what is left, and no more', async () => {
    const { world, reverse, deps, attempt } = await paidWorld();
    expect(await reverse({ amountCents: 7_110 })).toMatchObject({
      reversal: { state: 'approved', amountCents: 7_110 },
    });
    expect(await world.attempts()).toMatchObject([{ state: 'approved', refundedCents: 7_110 }]);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    expect(await readReceipt(deps, attempt.receiptId)).toMatchObject({ status: 'Partly refunded' });
    expect(await reverse({ amountCents: 11_291 })).toEqual({ kind: 'bad-amount', left: '112.90' });
    expect(await reverse({ amountCents: 11_290 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(await world.attempts()).toMatchObject([{ state: 'refunded', refundedCents: 18_400 }]);
    expect((await world.invoiceRow())?.localStatus).toBe('refunded');
    expect(await reverse()).toEqual({ kind: 'not-offered', why: 'This payment was refunded in full.' });
    expect((await world.ledger()).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
  });

  it('offers the right one of the two only, and neither while the batch is being closed', async () => {
    const open = await paidWorld('open');
    expect(await open.reverse()).toMatchObject({ kind: 'not-offered', why: expect.stringContaining('void') });
    open.books.batchStatus = 'pending';
    expect(await open.reverse()).toMatchObject({ kind: 'not-offered', why: expect.stringContaining('being closed') });
    open.books.batchStatus = 'closed';
    expect(await open.reverse({ kind: 'void' })).toMatchObject({
      kind: 'not-offered',
      why: expect.stringContaining('refund'),
    });
    expect(open.books.calls).toBe(0);
  });

  it('is for administrators, and not for users of another account', async () => {
    const { reverse, merchant, books } = await paidWorld();
    expect(await reverse({}, { ...merchant, userId: merchant.userId + 1 })).toEqual({ kind: 'forbidden' });
    expect(await reverse({}, { ...merchant, accountId: merchant.accountId + 1 })).toEqual({ kind: 'not-found' });
    expect(books.calls).toBe(0);
  });

  it('never gives back more than was paid, however many ask at the same moment', async () => {
    const { world, reverse, books, reversals: rows } = await paidWorld();
    const wishes = [4_000, 18_400, 9_000, 1, 18_399, 6_000];
    for (let round = 0; round < 3; round++)
      await Promise.all(wishes.flatMap((amountCents) => [reverse({ amountCents }), reverse({ amountCents })]));
    const given = books.transactions
      .filter(({ kind }) => kind === 'REFUND')
      .reduce((sum, txn) => sum + (txn.amountCents ?? 0), 0);
    const booked = (await world.ledger())
      .filter(({ kind }) => kind === 'refund')
      .reduce((sum, row) => sum - row.amountCents, 0);
    expect(given).toBeLessThanOrEqual(18_400);
    expect(booked).toBe(given);
    expect((await world.attempts())[0]?.refundedCents).toBe(given);
    expect((await rows()).every(({ state }) => state === 'approved' || state === 'refused')).toBe(true);
  });

  it('is one reversal for one press, however often it arrives', async () => {
    const { reverse, books } = await paidWorld();
    const requestKey = `press-${freshId()}`;
    await Promise.all(Array.from({ length: 8 }, () => reverse({ amountCents: 1_000, requestKey })));
    expect(await reverse({ amountCents: 1_000, requestKey })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
  });

  it('looks a lost answer up and tries nothing again', async () => {
    const { world, reverse, books } = await paidWorld();
    books.lose = 1;
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
    expect(await world.attempts()).toMatchObject([{ refundedCents: 5_000 }]);
  });

  it('stays unknown while the gateway is silent, refuses another one meanwhile, and is in the ledger once it is found', async () => {
    const { world, reverse, books, deps, clock } = await paidWorld();
    const { find } = world.gateway.script;
    books.lose = 1;
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

  it('is in the ledger when it appears between two lookups, and needs no person', async () => {
    const { world, books, reverse, reversals: rows } = await paidWorld();
    const { find } = world.gateway.script;
    // The index by order id lags; the one by key shows the refund already.
    world.gateway.script.find = (by) => ('attemptId' in by ? [] : find(by));
    books.lose = 1;
    expect(await reverse()).toMatchObject({ reversal: { state: 'approved', amountCents: 18_400 } });
    expect(await rows()).toMatchObject([{ state: 'approved' }]);
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual([]);
  });

  it('waits for a person when a refund like it stands under another order number', async () => {
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

  it('is taken not to have happened only after the hold and several empty look-ups, and may then be asked again', async () => {
    const { world, reverse, books, deps, clock, reversals: rows } = await paidWorld();
    const { reverse: real } = world.gateway.script;
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
    world.gateway.script.reverse = real;
    expect(await reverse({ amountCents: 5_000 })).toMatchObject({ reversal: { state: 'approved' } });
    expect(books.calls).toBe(1);
  });

  it('is asked for no more once it counts as not done and the gateway shows that it was refused', async () => {
    const { world, reverse, books, deps, clock, reversals: rows } = await paidWorld();
    world.gateway.script.reverse = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    await reverse({ amountCents: 5_000 });
    for (let minute = 0; minute < 30; minute++) {
      clock.now += 60_000;
      await runSchedule(deps);
    }
    const [reversal] = await rows();
    expect(reversal).toMatchObject({ state: 'not_done', nextCheckAt: expect.any(Number) });
    const asked = { attemptId: reversal?.id ?? '', dedupeKey: reversal?.dedupeKey ?? '', amountCents: 5_000 };
    const terminal = { accountId: 1, terminalId: 'T', sealedApiKey: '' };
    books.transactions.push(transaction({ ...asked, terminal }, { kind: 'REFUND', state: 'declined' }));
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

  it('opens the invoice to payers only when the merchant reopens it, as the next collection', async () => {
    const { world, reverse, deps, merchant, invoiceId, payId } = await paidWorld('open');
    expect(await reopenInvoice(deps, merchant, invoiceId)).toEqual({ kind: 'not-given-back' });
    await reverse({ kind: 'void', amountCents: null });
    const pay = () => takePayment(deps, payId, paymentForm(), { clientIp: null });
    expect(await pay()).toEqual({ kind: 'not-payable-online' });
    const opened = await Promise.all([1, 2, 3].map(() => reopenInvoice(deps, merchant, invoiceId)));
    expect(opened.filter(({ kind }) => kind === 'open')).not.toHaveLength(0);
    expect(await world.invoiceRow()).toMatchObject({ collection: 2, localStatus: 'none' });
    expect(await pay()).toMatchObject({ kind: 'approved', attempt: { dedupeKey: `INV-${invoiceId}-2` } });
  });
});
