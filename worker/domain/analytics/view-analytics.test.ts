import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { timeframes } from '#shared/contracts/payments/analytics';
import { addDays } from '#shared/text/local-day';
import { startRandom } from '#tests/support/random';
import { bookReversal, makeWorldIn, sell } from '#tests/support/unit/bookings';
import { ledger, paymentAttempts } from '#worker/data/schema/schema';
import { viewAnalytics, viewComparison } from './view-analytics.ts';

const ZONES = ['America/Indiana/Indianapolis', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kolkata'];
/** Sundays on which clocks change somewhere: 8 March 2026 in the US, 25 October 2026 in Europe. */
const CLOCK_CHANGES = [Date.UTC(2026, 2, 8), Date.UTC(2026, 9, 25)];
const DAY_MS = 86_400_000;

describe('payment analytics', () => {
  it.each(
    ZONES.flatMap((zone) => CLOCK_CHANGES.map((change) => [zone, new Date(change).toISOString(), change] as const)),
  )('equal the ledger to the cent in %s around %s, for every timeframe', async (zone, _name, change) => {
    const random = startRandom().random;
    const world = await makeWorldIn(zone);
    const now = change + DAY_MS + random.below(DAY_MS);
    for (let count = 0; count < 25; count++) {
      // Half of the sales are on the weekend of the change, the others in the year before.
      const age = count % 2 ? random.below(3 * DAY_MS) : random.below(365 * DAY_MS);
      const cents = 1 + random.below(999_999);
      const id = await sell(world, zone, { at: now - age, cents });
      if (count % 5 === 0) await bookReversal(world, zone, id, 1 + random.below(cents), now - Math.floor(age / 2));
    }
    const rows = await world.db.select().from(ledger).where(eq(ledger.accountId, world.accountId));
    expect(rows.length).toBe(30);
    const dayOf = (at: number) => new Date(at).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 10);
    const entries = rows.map(({ at, amountCents }) => ({ day: dayOf(at), amountCents }));
    for (const timeframe of timeframes) {
      const { dailyPayments } = await viewAnalytics({ db: world.db, now: () => now }, world.accountId, timeframe);
      expect(dailyPayments.at(-1)?.date).toBe(dayOf(now));
      for (const { date, amount } of dailyPayments) {
        const cents = entries.filter(({ day }) => day === date).reduce((sum, entry) => sum + entry.amountCents, 0);
        expect(Math.round(amount * 100), `${date} of the ${timeframe}`).toBe(cents);
      }
    }
  });

  it('show every day of the timeframe, with 0 for days without payments', async () => {
    const world = await makeWorldIn('America/Indiana/Indianapolis');
    const now = Date.UTC(2026, 10, 21, 17);
    await sell(world, 'America/Indiana/Indianapolis', { at: now - 2 * DAY_MS, cents: 7110 });
    const days = async (timeframe: (typeof timeframes)[number]) =>
      (await viewAnalytics({ db: world.db, now: () => now }, world.accountId, timeframe)).dailyPayments;
    expect(await days('week')).toEqual([
      ...['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'].map((date) => ({ date, amount: 0 })),
      { date: '2026-11-19', amount: 71.1 },
      ...['2026-11-20', '2026-11-21'].map((date) => ({ date, amount: 0 })),
    ]);
    expect(await days('month')).toHaveLength(30);
    const year = await days('year');
    expect([year.length, year[0]?.date]).toEqual([365, addDays('2025-11-21', 1)]);
  });

  it('count approved payments by method, and attempts by outcome', async () => {
    const zone = 'America/Indiana/Indianapolis';
    const world = await makeWorldIn(zone);
    const at = Date.UTC(2026, 10, 20, 17);
    const first = await sell(world, zone, { at, cents: 100 });
    await sell(world, zone, { at, cents: 100, brand: 'Master Card' });
    await sell(world, zone, { at, cents: 100, brand: '"; DROP' });
    await sell(world, zone, { at, cents: 100, brand: '', method: 'ach' });
    await sell(world, zone, { at, cents: 100, to: 'declined' });
    await sell(world, zone, { at, cents: 100, to: 'unknown' });
    const view = () => viewAnalytics({ db: world.db, now: () => at }, world.accountId, 'week');
    expect(await view()).toMatchObject({
      paymentMethods: { Visa: 1, Mastercard: 1, 'Other card': 1, 'Bank account': 1 },
      transactionStatus: { approved: 4, declined: 1 },
    });
    await world.db.update(paymentAttempts).set({ state: 'voided' }).where(eq(paymentAttempts.id, first));
    expect((await view()).transactionStatus).toEqual({ approved: 3, declined: 1, voided: 1 });
  });

  it('exclude a voided payment on its own day and on the day of the void, but include a refunded payment', async () => {
    const zone = 'America/Indiana/Indianapolis';
    const world = await makeWorldIn(zone);
    const paidAt = Date.UTC(2026, 10, 18, 17);
    const now = paidAt + DAY_MS;
    const refundedId = await sell(world, zone, { at: paidAt, cents: 5000 });
    const voidedId = await sell(world, zone, { at: paidAt, cents: 900 });
    const otherVoidedId = await sell(world, zone, { at: paidAt, cents: 700, brand: 'DISCOVER' });
    await bookReversal(world, zone, refundedId, 5000, now);
    await bookReversal(world, zone, voidedId, 900, now, 'void');
    await bookReversal(world, zone, otherVoidedId, 700, now, 'void');
    const { dailyPayments, paymentMethods } = await viewAnalytics(
      { db: world.db, now: () => now },
      world.accountId,
      'week',
    );
    expect(dailyPayments.slice(-2)).toEqual([
      { date: '2026-11-18', amount: 50 },
      { date: '2026-11-19', amount: -50 },
    ]);
    expect(paymentMethods).toEqual({ Visa: 1 });
  });

  it('compare two periods, with refunds on their own day and without voids and unknown outcomes', async () => {
    const zone = 'America/Indiana/Indianapolis';
    const world = await makeWorldIn(zone);
    // The clocks changed between the two weeks, so 10:30 local time is a different UTC hour.
    const now = Date.UTC(2026, 10, 5, 17);
    const [first, second] = [Date.UTC(2026, 10, 2, 15, 30), Date.UTC(2026, 9, 26, 14, 30)];
    const refundedId = await sell(world, zone, { at: first, cents: 5000 });
    const voidedId = await sell(world, zone, { at: first, cents: 900 });
    await sell(world, zone, { at: first + 3_600_000, cents: 300, to: 'unknown' });
    const earlierId = await sell(world, zone, { at: second, cents: 2000 });
    await bookReversal(world, zone, refundedId, 1500, now);
    await bookReversal(world, zone, voidedId, 900, now, 'void');
    await bookReversal(world, zone, earlierId, 250, now);
    const view = (timeframe: (typeof timeframes)[number]) =>
      viewComparison({ db: world.db, now: () => now }, world.accountId, timeframe);
    const week = await view('week');
    expect(week.refunds).toEqual({ amount: 17.5, count: 2 });
    expect(week.before.payments).toBe(1);
    expect(week.before.dailyPayments).toHaveLength(7);
    expect(week.before.dailyPayments.find(({ amount }) => amount !== 0)).toEqual({ date: '2026-10-26', amount: 20 });
    expect(week.hours).toHaveLength(7);
    expect(week.hours.flat().reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(week.hours[1]?.[10]).toBe(1);
    const month = await view('month');
    expect(month.hours[1]?.[10]).toBe(2);
    expect(month.before).toMatchObject({ payments: 0 });
    expect(month.before.dailyPayments.at(-1)?.date).toBe('2026-10-06');
    const year = await view('year');
    expect(year.before.dailyPayments[0]?.date).toBe('2024-11-06');
    expect(year.before.dailyPayments.at(-1)?.date).toBe('2025-11-05');
  });

  it('contain nothing from another account', async () => {
    const zone = 'America/Indiana/Indianapolis';
    const [world, otherWorld] = [await makeWorldIn(zone), await makeWorldIn(zone)];
    const at = Date.UTC(2026, 10, 20, 17);
    await sell(otherWorld, zone, { at, cents: 5000 });
    const { dailyPayments, paymentMethods } = await viewAnalytics(
      { db: world.db, now: () => at },
      world.accountId,
      'year',
    );
    expect(dailyPayments.every(({ amount }) => amount === 0)).toBe(true);
    expect(paymentMethods).toEqual({});
  });
});
