import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome, makeWorld, transaction } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { accounts, invoices } from '#worker/data/schema/schema';
import { firstDay, viewAnalytics } from '#worker/domain/analytics/view-analytics';
import { readReceipt } from '#worker/domain/mail/receipt';
import { settle } from '#worker/domain/payments/settle';
import { takePayment } from '#worker/domain/payments/take-payment';
import { ingestTransactions } from '#worker/domain/reconciliation/ingest';
import { runSchedule } from '#worker/domain/run-schedule';
import { viewToday } from '#worker/domain/today/view-today';
import { viewTakings } from './view-takings.ts';

const HOUR_MS = 3_600_000;
type World = Awaited<ReturnType<typeof makeLedgerPair>>;

/** Today's net on the dashboard, on the day's sheet and in Analytics. */
async function readNetAmounts({ deps, accountId }: World) {
  const today = await viewToday(deps, accountId);
  const takings = await viewTakings(deps, accountId);
  const analytics = await viewAnalytics(deps, accountId, 'week');
  return [today.taken, takings?.net, analytics.dailyPayments.at(-1)?.amount.toFixed(2)];
}

/** Makes the card provider show these card transactions. */
const showAtProvider = ({ deps, accountId, clock }: World, ...txns: World['books']) =>
  ingestTransactions(deps, accountId, 'card', { txns, seenAt: clock.now });

const listDifferenceAlerts = async ({ db, clock }: World) =>
  (await measureClinics(db, clock.now, true)).problems.filter(({ event }) => event.endsWith('-differ'));

describe('the net amount of a day', () => {
  it.each([
    ['a refund', false, '70.00'],
    ['a refund, and then a void of the remainder', true, '0.00'],
  ])('is the same everywhere after %s at the card provider', async (_title, isVoided, net) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ cents: 10_000 });
    const refund = { ...sale.txn, id: `r-${sale.id}`, kind: 'REFUND', parentId: sale.txn.id, attemptId: '' };
    world.clock.now += HOUR_MS;
    await showAtProvider(world, sale.txn, { ...refund, amountCents: 3_000, createdAt: world.clock.now });
    world.clock.now += HOUR_MS;
    if (isVoided) await showAtProvider(world, { ...sale.txn, isVoided });
    expect(await readNetAmounts(world)).toEqual([net, net, net]);
    expect(await listDifferenceAlerts(world)).toEqual([]);
  });

  it('excludes a payment voided after midnight, without an alert about differing sums', async () => {
    const world = await makeLedgerPair();
    world.clock.now = Date.UTC(2026, 2, 5, 4, 50);
    const sale = await world.sell();
    world.clock.now += HOUR_MS;
    await showAtProvider(world, { ...sale.txn, isVoided: true });
    expect(await readNetAmounts(world)).toEqual(['0.00', '0.00', '0.00']);
    expect(await listDifferenceAlerts(world)).toEqual([]);
  });

  it('does not change when the account moves to another time zone', async () => {
    const world = await makeLedgerPair();
    world.clock.now = Date.UTC(2026, 2, 4, 6);
    await world.sell({ cents: 10_000 });
    world.clock.now = Date.UTC(2026, 2, 4, 20);
    await world.db
      .update(accounts)
      .set({ timeZone: 'America/Los_Angeles' })
      .where(eq(accounts.accountId, world.accountId));
    expect(await readNetAmounts(world)).toEqual(['100.00', '100.00', '100.00']);
  });

  it('does not count a payment as paid elsewhere if it was recorded in the CRM before its void here', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const { now } = world.clock;
    await world.db
      .update(invoices)
      .set({ status: 'paid', paidAt: now, balanceCents: 0 })
      .where(eq(invoices.invoiceId, sale.invoiceId));
    sale.txn.isVoided = true;
    await runNight(world);
    expect((await viewTakings(world.deps, world.accountId))?.paid_elsewhere).toBeNull();
    await world.db
      .update(invoices)
      .set({ paidAt: world.clock.now + 1 })
      .where(eq(invoices.invoiceId, sale.invoiceId));
    world.clock.now += 2;
    expect((await viewTakings(world.deps, world.accountId))?.paid_elsewhere).toEqual({ count: 1, amount: '184.00' });
  });

  it('counts an invoice as paid elsewhere after its bank debit was returned', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ method: 'ach', state: 'pending' });
    const returnMove = { to: 'returned' as const, from: ['pending' as const], at: world.clock.now, txn: sale.txn };
    await settle(world.deps, await world.read(sale.id), returnMove);
    world.clock.now += HOUR_MS;
    const paidColumns = { status: 'paid' as const, paidAt: world.clock.now, balanceCents: 0 };
    await world.db.update(invoices).set(paidColumns).where(eq(invoices.invoiceId, sale.invoiceId));
    expect((await viewTakings(world.deps, world.accountId))?.paid_elsewhere).toEqual({ count: 1, amount: '184.00' });
  });

  it('includes a refund from the provider’s portal on the day on which it was made', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ cents: 10_000 });
    const madeAt = world.clock.now + HOUR_MS;
    world.clock.now += 60 * HOUR_MS;
    const refund = { ...sale.txn, id: `r-${sale.id}`, kind: 'REFUND', parentId: sale.txn.id, attemptId: '' };
    await showAtProvider(world, sale.txn, { ...refund, amountCents: 3_000, createdAt: madeAt });
    expect(await readNetAmounts(world)).toEqual(['0.00', '0.00', '0.00']);
    expect((await viewTakings(world.deps, world.accountId, '2026-03-04'))?.net).toBe('70.00');
    expect((await readReceipt(world.deps, sale.id))?.refunds).toMatchObject([
      { what: expect.stringContaining('Mar 4') },
    ]);
  });

  it('books a refund by the account’s new time zone, while the receipt keeps the day of the payment', async () => {
    const world = await makeLedgerPair();
    world.clock.now = Date.UTC(2026, 2, 5, 3);
    const sale = await world.sell({ cents: 10_000 });
    await world.db
      .update(accounts)
      .set({ timeZone: 'Pacific/Kiritimati' })
      .where(eq(accounts.accountId, world.accountId));
    world.clock.now += HOUR_MS;
    const refund = { ...sale.txn, id: `r-${sale.id}`, kind: 'REFUND', parentId: sale.txn.id, attemptId: '' };
    await showAtProvider(world, sale.txn, { ...refund, amountCents: 3_000, createdAt: world.clock.now });
    expect(await readNetAmounts(world)).toEqual(['-30.00', '-30.00', '-30.00']);
    expect((await viewTakings(world.deps, world.accountId, '2026-03-04'))?.net).toBe('100.00');
    expect(await readReceipt(world.deps, sale.id)).toMatchObject({
      date: expect.stringContaining('Mar 4'),
      refunds: [{ what: expect.stringContaining('Mar 5') }],
    });
  });
});

it('books a charge decided days later on the day of the charge', async () => {
  const world = await makeWorld();
  world.gateway.script.charge = () => lostOutcome;
  await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'x' });
  const [request] = world.gateway.charges;
  if (!request) throw new Error('nothing was sent');
  world.gateway.script.find = () => 'unavailable';
  world.clock.now += 80 * HOUR_MS;
  await runSchedule(world.deps);
  world.gateway.script.find = () => [transaction(request)];
  world.clock.now += HOUR_MS;
  await runSchedule(world.deps);
  const [attempt] = await world.attempts();
  expect(await world.ledger()).toMatchObject([{ day: '2026-03-04' }]);
  expect((await readReceipt(world.deps, attempt?.receiptId ?? ''))?.date).toContain('Mar 4');
});

it.each([
  ['2028-02-29', '2027-03-01'],
  ['2028-02-28', '2027-03-01'],
  ['2027-02-28', '2026-03-01'],
  ['2026-12-31', '2026-01-01'],
])('a year that ends on %s begins on %s', (last, first) => {
  expect(firstDay(last, 'year')).toBe(first);
});
