import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { paidWorld } from '#tests/support/unit/paid-world';
import { measureClinics } from '#worker/data/alerts/measure';
import { findInvoice } from '#worker/data/invoices/invoices';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { readReceipt } from '#worker/domain/mail/receipt';
import { ingestTransactions } from '#worker/domain/reconciliation/ingest';
import { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
import { viewTakings } from '#worker/domain/takings/view-takings';
import { viewToday } from '#worker/domain/today/view-today';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { reconcileReversals } from './inquire-reversal-status.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function runNextNight(world: LedgerPair) {
  world.clock.now += DAY;
  return runNight(world);
}

const addRefund = (world: LedgerPair, parentId: string, amountCents: number) => {
  const refund = gatewayOnlyTransaction(world, { kind: 'REFUND', parentId, amountCents, dedupeKey: '' });
  world.books.push(refund);
  return refund;
};

const reopenInvoice = (invoiceId: string) =>
  env.DB.prepare("UPDATE invoices SET collection = 2, local_status = 'none' WHERE invoice_id = ?")
    .bind(invoiceId)
    .run();

/** A refund whose answer is lost, and which the gateway made with these changes to the request. */
async function makeLostRefund(changes: Partial<GatewayTransaction>) {
  const paid = await paidWorld();
  const { script } = paid.world.gateway;
  const { reverse } = script;
  script.reverse = async (request) => {
    await reverse(request);
    for (const txn of paid.books.transactions) if (txn.kind === 'REFUND') Object.assign(txn, changes);
    return { kind: 'unknown', cause: 'TimeoutError', exchangeId: '' };
  };
  await paid.reverse();
  return paid;
}

/** Checks that all refund totals in our books agree with the ledger. */
async function expectSumsToAgree(world: LedgerPair) {
  const { problems: standing } = await measureClinics(world.db, world.clock.now, true);
  const alerts = standing.filter(({ account }) => account === world.accountId);
  expect(alerts.map(({ event }) => event)).not.toContain('daily-sums-differ');
  const row = await env.DB.prepare(
    `SELECT sum(given_back_cents) AS shown, (SELECT sum(refunded_cents) FROM payment_attempts WHERE account_id = ?1) AS kept,
      (SELECT -coalesce(sum(amount_cents), 0) FROM ledger WHERE account_id = ?1 AND kind <> 'payment') AS booked
    FROM invoices WHERE account_id = ?1`,
  )
    .bind(world.accountId)
    .first<{ shown: number; kept: number; booked: number }>();
  expect(row).toEqual({ shown: row?.booked, kept: row?.booked, booked: row?.booked });
}

describe('a booked refund that the provider’s portal shows as voided', () => {
  it('is reversed once in the ledger, and the payment counts in full again', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 18_400);
    expect((await runNextNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([{ state: 'refunded', refunded: 18_400, localStatus: 'refunded' }]);
    refund.isVoided = true;
    for (let night = 0; night < 3; night++) expect((await runNextNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual([
      {
        state: 'approved',
        refunded: 0,
        localStatus: 'paid',
        booked: ['payment 18400', 'refund -18400', 'refund 18400'],
      },
    ]);
    await expectSumsToAgree(world);
    expect(await readReceipt(world.deps, sale.id)).toMatchObject({ state: 'paid', refunds: [], left: null });
  });

  it('counts as one refund in every figure of its day', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 18_400);
    await runNextNight(world);
    refund.isVoided = true;
    await runNextNight(world);
    const counts = await env.DB.prepare(
      'SELECT sum(refunds) AS refunds, sum(refund_cents) AS cents FROM daily_totals WHERE account_id = ?',
    )
      .bind(world.accountId)
      .first();
    expect(counts).toEqual({ refunds: 1, cents: 0 });
    const correctedRefunds = { count: 0, amount: '-184.00' };
    expect((await viewToday(world.deps, world.accountId)).refunds).toEqual(correctedRefunds);
    expect((await viewTakings(world.deps, world.accountId))?.refunds).toEqual(correctedRefunds);
  });

  it.each([
    ['amount', (refund: GatewayTransaction, isLess: boolean) => (refund.amountCents = isLess ? 3_000 : 5_000), 3_000],
    ['void', (refund: GatewayTransaction, isLess: boolean) => (refund.isVoided = isLess), 0],
  ] as const)('is corrected each time its %s changes back and forth', async (_title, change, lowerCents) => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 5_000);
    await runNextNight(world);
    for (const isLess of [true, false, true]) {
      change(refund, isLess);
      expect((await runNextNight(world)).differences).toEqual([]);
      expect((await world.read(sale.id)).refundedCents).toBe(isLess ? lowerCents : 5_000);
      await expectSumsToAgree(world);
    }
  });

  it('is not undone by a stale list', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 5_000);
    await runNextNight(world);
    const ingest = async (isVoided: boolean) => {
      const seenAt = world.clock.now++;
      await ingestTransactions(world.deps, world.accountId, 'card', { txns: [{ ...refund, isVoided }], seenAt });
    };
    for (const isVoided of [true, false, false]) await ingest(isVoided);
    expect(await world.state()).toMatchObject([
      { refunded: 0, booked: ['payment 18400', 'refund -5000', 'refund 5000'] },
    ]);
    world.clock.now += 12 * 3_600_000;
    await ingest(false);
    expect(await world.state()).toMatchObject([{ refunded: 5_000 }]);
  });

  it('leaves the other refunds of its payment unchanged', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const first = addRefund(world, sale.txn.id, 8_400);
    addRefund(world, sale.txn.id, 10_000);
    await runNextNight(world);
    expect(await world.state()).toMatchObject([{ state: 'refunded', refunded: 18_400 }]);
    first.isVoided = true;
    expect((await runNextNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 10_000, localStatus: 'paid' }]);
    expect(await readReceipt(world.deps, sale.id)).toMatchObject({ state: 'partlyRefunded', left: '$84.00 USD' });
    await expectSumsToAgree(world);
  });

  it('is reversed when it was requested here, and can then be requested again', async () => {
    const paid = await paidWorld();
    expect((await paid.reverse()).kind).toBe('reversal');
    const refund = paid.books.transactions.find(({ kind }) => kind === 'REFUND');
    if (!refund) throw new Error('no refund');
    refund.isVoided = true;
    const snapshot = { txns: [refund], seenAt: paid.clock.now + 1 };
    await ingestTransactions(paid.deps, paid.accountId, 'card', snapshot);
    expect(await paid.reversals()).toMatchObject([{ state: 'not_done' }]);
    expect((await paid.world.invoiceRow())?.localStatus).toBe('paid');
    paid.books.transactions.splice(paid.books.transactions.indexOf(refund), 1);
    expect((await paid.reverse()).kind).toBe('reversal');
    expect(await paid.ledger()).toHaveLength(4);
  });

  it('leaves a balance of zero for a payment that was voided too', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 500);
    await runNextNight(world);
    Object.assign(sale.txn, { isVoided: true });
    Object.assign(refund, { isVoided: true });
    await runNextNight(world);
    for (let night = 0; night < 2; night++) expect((await runNextNight(world)).differences).toEqual([]);
    const [state] = await world.state();
    expect(state).toMatchObject({ state: 'voided', refunded: 18_400, localStatus: 'voided' });
    expect(state?.booked.toSorted()).toEqual([
      ...['payment 18400', 'refund -500', 'refund 500', 'void -17900', 'void -500'],
    ]);
    await expectSumsToAgree(world);
  });

  it('closes an invoice reopened in the meantime, and alerts the operator to a possible double payment', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 18_400);
    await runNextNight(world);
    await reopenInvoice(sale.invoiceId);
    refund.isVoided = true;
    await runNextNight(world);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 0, localStatus: 'paid' }]);
    expect(world.logs).toContain('ALERT payment-contradicted');
  });
});

describe('a bank debit returned after a refund', () => {
  it.each([
    ['of all of it', 18_400, -18_400],
    ['of a part', 5_000, -5_000],
  ])('%s is booked as returned too, since the money left twice', async (_title, cents, net) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ method: 'ach' });
    world.books.push(
      gatewayOnlyTransaction(world, { kind: 'CREDIT', parentId: sale.txn.id, amountCents: cents, dedupeKey: '' }),
    );
    await runNextNight(world);
    Object.assign(sale.txn, { state: 'returned', providerCode: 'R10' });
    expect((await runNextNight(world)).differences).toEqual([]);
    const [{ booked, ...payment } = { booked: [] }] = await world.state();
    expect(payment).toMatchObject({ state: 'returned', refunded: cents, localStatus: 'returned' });
    expect(booked.toSorted()).toEqual(['payment 18400', `refund -${cents}`, 'return -18400']);
    const ledger = await env.DB.prepare('SELECT sum(amount_cents) AS net FROM ledger WHERE account_id = ?')
      .bind(world.accountId)
      .first('net');
    expect(ledger).toBe(net);
    const { problems: alerts } = await measureClinics(world.db, world.clock.now, true);
    expect(alerts.map(({ event }) => event).filter((event) => event.endsWith('-differ'))).toEqual([]);
  });
});

describe('one of two refunds voided after its invoice was reopened', () => {
  it('leaves the remainder owed and frozen until a person decides, and nothing owed once both are voided', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const [first, second] = [addRefund(world, sale.txn.id, 8_400), addRefund(world, sale.txn.id, 10_000)];
    await runNextNight(world);
    await reopenInvoice(sale.invoiceId);
    first.isVoided = true;
    await runNextNight(world);
    const balance = { partBaseCents: 18_400, partPaidCents: 8_400 };
    const row = await findInvoice(world.db, world.accountId, sale.invoiceId);
    expect(row).toMatchObject({ localStatus: 'none', collection: 2, ...balance });
    expect(row && invoiceBalance(row)).toMatchObject({ owedCents: 10_000, isSettledHere: false });
    expect(await env.DB.prepare('SELECT state, n FROM collections').all()).toMatchObject({
      results: [{ state: 'frozen', n: 2 }],
    });
    second.isVoided = true;
    await runNextNight(world);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 0, localStatus: 'paid' }]);
    await expectSumsToAgree(world);
  });
});

describe('a refund voided before its lost answer was looked up', () => {
  it('counts as refused and is not booked', async () => {
    const paid = await makeLostRefund({ isVoided: true });
    paid.clock.now += HOUR;
    await reconcileReversals(paid.deps);
    expect(await paid.reversals()).toMatchObject([{ state: 'refused' }]);
    expect(await paid.ledger()).toHaveLength(1);
  });
});

describe('a refund with a lost answer that the gateway shows in an unknown state', () => {
  it('goes to manual review after a day, and ends when a person decides that it did not happen', async () => {
    const paid = await makeLostRefund({ state: 'other', result: 'ON HOLD' });
    const state = async () => (await paid.reversals())[0]?.state;
    for (let hour = 0; hour < 23; hour++) {
      paid.clock.now += HOUR;
      await reconcileReversals(paid.deps);
    }
    expect(await state()).toBe('unknown');
    paid.clock.now += 2 * HOUR;
    await reconcileReversals(paid.deps);
    expect(await state()).toBe('needs_human');
    const [reversal] = await paid.reversals();
    const decide = (verdict: 'happened' | 'not-happened') =>
      resolveReversal(paid.deps, paid.merchant, reversal?.id ?? '', { verdict, note: 'Asked.' });
    expect((await decide('happened')).kind).toBe('contradicted');
    expect((await decide('not-happened')).kind).toBe('resolved');
    expect(await state()).toBe('not_done');
    for (const txn of paid.books.transactions) if (txn.kind === 'REFUND') txn.state = 'approved';
    const snapshot = { txns: paid.books.transactions, seenAt: paid.clock.now + 1 };
    await ingestTransactions(paid.deps, paid.accountId, 'card', snapshot);
    expect(await state()).toBe('approved');
    expect((await paid.ledger()).map(({ amountCents }) => amountCents)).toEqual([18_400, -18_400]);
  });
});

describe('a refund that the provider’s portal shows with another amount', () => {
  it('is corrected to that amount if it was booked before', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 18_400);
    await runNextNight(world);
    refund.amountCents = 8_400;
    expect((await runNextNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 8_400, localStatus: 'paid' }]);
    refund.amountCents = 9_000;
    expect((await runNextNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 9_000, localStatus: 'paid' }]);
    await expectSumsToAgree(world);
  });

  it('goes to manual review if its answer was lost, and is never booked with the requested amount', async () => {
    const paid = await makeLostRefund({ amountCents: 8_400 });
    paid.clock.now += HOUR;
    await reconcileReversals(paid.deps);
    expect(await paid.reversals()).toMatchObject([{ state: 'needs_human', amountCents: 18_400 }]);
    expect((await paid.reversals())[0]?.message).toContain('$84.00');
    expect(await paid.ledger()).toHaveLength(1);
  });

  it('stays a mismatch when it exceeds the remaining amount of its payment', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const refund = addRefund(world, sale.txn.id, 8_400);
    await runNextNight(world);
    refund.amountCents = 20_000;
    expect((await runNextNight(world)).differences).toHaveLength(1);
    expect(await world.state()).toMatchObject([{ state: 'approved', refunded: 8_400 }]);
    await expectSumsToAgree(world);
  });
});
