import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookReversal, makeWorldIn, sell } from '#tests/support/unit/bookings';
import { insertRow } from '#tests/support/unit/insert-row';
import type { World } from '#tests/support/unit/world';
import { paymentAttempts } from '#worker/data/schema/schema';
import { viewAnalytics } from '#worker/domain/analytics/view-analytics';
import { viewTakings } from './view-takings.ts';

const ZONE = 'America/New_York';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** March 9, 2026, 10 AM in New York, a day after the clocks changed. */
const TEN_AM = Date.UTC(2026, 2, 9, 14);

const takings = (world: World, date?: string, now = TEN_AM + 8 * HOUR) =>
  viewTakings({ db: world.db, now: () => now }, world.accountId, date);

describe('card takings of a day', () => {
  it('count the day’s payments except voided and undecided ones, minus the refunds of that day', async () => {
    const world = await makeWorldIn(ZONE);
    await sell(world, ZONE, { at: TEN_AM, cents: 10_000, lastFour: '0001' });
    await sell(world, ZONE, { at: TEN_AM, cents: 2000, brand: 'MASTER CARD', lastFour: '0002' });
    await sell(world, ZONE, { at: TEN_AM, cents: 500, brand: '', method: 'ach', lastFour: '' });
    const voidedId = await sell(world, ZONE, { at: TEN_AM, cents: 900, lastFour: '0003' });
    await bookReversal(world, ZONE, voidedId, 900, TEN_AM + 20 * HOUR, 'void');
    await sell(world, ZONE, { at: TEN_AM, cents: 700, to: 'declined' });
    await sell(world, ZONE, { at: TEN_AM, cents: 58_850, to: 'unknown' });
    const earlierId = await sell(world, ZONE, { at: TEN_AM - 72 * HOUR, cents: 4000 });
    await bookReversal(world, ZONE, earlierId, 1500, TEN_AM);
    const day = await takings(world);
    expect(day).toMatchObject({
      date: '2026-03-09',
      net: '110.00',
      declined: 1,
      week_before: null,
      paid_elsewhere: null,
      closed: null,
      sales: { count: 3, amount: '125.00' },
      refunds: { count: 1, amount: '15.00' },
      methods: [
        { name: 'Bank account', count: 1, amount: '5.00' },
        { name: 'Mastercard', count: 1, amount: '20.00' },
        { name: 'Visa', count: 1, amount: '100.00' },
      ],
      look_alikes: [],
    });
    expect(day?.unknown.map(({ amount }) => amount)).toEqual(['588.50']);
    const analytics = await viewAnalytics({ db: world.db, now: () => TEN_AM + 8 * HOUR }, world.accountId, 'week');
    expect(analytics.dailyPayments.at(-1)).toEqual({ date: '2026-03-09', amount: 110 });
  });

  it('run from midnight to midnight local time, even on a 23-hour day', async () => {
    const world = await makeWorldIn(ZONE);
    const [from, to] = [Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4)];
    for (const [at, cents] of [
      [from - 1, 100],
      [from, 200],
      [to - 1, 400],
      [to, 800],
    ] as const) {
      await sell(world, ZONE, { at, cents });
    }
    const nets = await Promise.all(['2026-03-07', '2026-03-08', '2026-03-09'].map((date) => takings(world, date)));
    expect(nets.map((day) => day?.net)).toEqual(['1.00', '6.00', '8.00']);
    expect((await takings(world, '2026-03-15', TEN_AM + 200 * HOUR))?.week_before).toBe('6.00');
  });

  it('list look-alike payments of the same card and amount within ten minutes', async () => {
    const world = await makeWorldIn(ZONE);
    for (const at of [TEN_AM, TEN_AM + 4 * MINUTE, TEN_AM + 30 * MINUTE]) await sell(world, ZONE, { at, cents: 7110 });
    await sell(world, ZONE, { at: TEN_AM + MINUTE, cents: 7110, lastFour: '2222' });
    expect((await takings(world))?.look_alikes).toMatchObject([
      { card: 'Visa 1111', amount: '71.10', at: ['2026-03-09T14:00:00.000Z', '2026-03-09T14:04:00.000Z'] },
    ]);
  });

  it('list each invoice of look-alike payments, even when two have the same number', async () => {
    const world = await makeWorldIn(ZONE);
    for (const at of [TEN_AM, TEN_AM + MINUTE]) await sell(world, ZONE, { at, cents: 7110 });
    await world.db.update(paymentAttempts).set({ invoiceNumber: 'SAME' });
    expect((await takings(world))?.look_alikes).toMatchObject([{ invoices: ['SAME', 'SAME'] }]);
  });

  it('list an invoice once when two of its installments look alike', async () => {
    const world = await makeWorldIn(ZONE);
    const first = await sell(world, ZONE, { at: TEN_AM, cents: 7110 });
    const second = await sell(world, ZONE, { at: TEN_AM + MINUTE, cents: 7110 });
    const part = { invoiceId: first, invoiceNumber: first, part: 2 };
    await world.db.update(paymentAttempts).set(part).where(eq(paymentAttempts.id, second));
    expect((await takings(world))?.look_alikes).toMatchObject([{ invoices: [first] }]);
  });

  it.each(['refunded', 'returned'] as const)('list no look-alikes when either payment was %s', async (state) => {
    const world = await makeWorldIn(ZONE);
    await sell(world, ZONE, { at: TEN_AM, cents: 7110 });
    const second = await sell(world, ZONE, { at: TEN_AM + MINUTE, cents: 7110 });
    await world.db.update(paymentAttempts).set({ state }).where(eq(paymentAttempts.id, second));
    expect((await takings(world))?.look_alikes).toEqual([]);
  });

  it('show the invoices that the CRM reports as paid that day without a payment here', async () => {
    const world = await makeWorldIn(ZONE);
    const addPaidInvoice = async (id: string, paidAt: number | null, overrides: object = {}) => {
      await insertRow(world.db.$client, 'invoices', {
        account_id: world.accountId,
        invoice_id: id,
        number: id,
        status: 'paid',
        currency: 'USD',
        billed_cents: 5000,
        balance_cents: 0,
        read_at: 1,
        paid_at: paidAt,
        ...overrides,
      });
    };
    await addPaidInvoice('cheque', TEN_AM);
    await addPaidInvoice('cash', Date.UTC(2026, 2, 9));
    await addPaidInvoice('late the day before there', Date.UTC(2026, 2, 9, 3, 30));
    await addPaidInvoice('the day after', Date.UTC(2026, 2, 10));
    await addPaidInvoice('without a date', null);
    await addPaidInvoice('euro', TEN_AM, { currency: 'EUR' });
    await addPaidInvoice('by card', TEN_AM);
    await sell(world, ZONE, { at: TEN_AM, cents: 5000, invoiceId: 'by card' });
    await addPaidInvoice('perhaps by card', TEN_AM);
    await sell(world, ZONE, { at: TEN_AM, cents: 5000, invoiceId: 'perhaps by card', to: 'unknown' });
    await addPaidInvoice('declined, then cash', TEN_AM);
    await sell(world, ZONE, { at: TEN_AM, cents: 5000, invoiceId: 'declined, then cash', to: 'declined' });
    expect((await takings(world))?.paid_elsewhere).toEqual({ count: 3, amount: '150.00' });
    expect((await takings(world, '2026-03-08'))?.paid_elsewhere).toEqual({ count: 1, amount: '50.00' });
    await addPaidInvoice('unreadable', TEN_AM - 48 * HOUR, { billed_cents: null });
    expect((await takings(world, '2026-03-07'))?.paid_elsewhere).toEqual({ count: 1, amount: null });
  });

  it('cover one account, and only days that have begun in its time zone', async () => {
    const [ownWorld, otherWorld] = [await makeWorldIn(ZONE), await makeWorldIn(ZONE)];
    await sell(otherWorld, ZONE, { at: TEN_AM, cents: 5000 });
    expect(await takings(ownWorld)).toMatchObject({ net: '0.00', sales: { count: 0 } });
    for (const date of ['2026-03-10', '2026-02-30', 'today', '']) expect(await takings(ownWorld, date)).toBeNull();
  });
});
