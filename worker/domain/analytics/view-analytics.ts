import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { addDays, type Day, daysBetween, weekdayOf } from '#shared/text/local-day';
import { type DailyTotal, listDailyTotals } from '#worker/data/analytics/daily-totals';
import type { Deps } from '#worker/deps';
import { clinicDay } from '#worker/domain/merchants/clinic-day';

/** First day of a timeframe: 7 days, 30 days, or 12 months, which begin the day after the same date a year before. */
export function firstDay(last: Day, timeframe: Timeframe): Day {
  if (timeframe === 'week') return addDays(last, -6);
  if (timeframe === 'month') return addDays(last, -29);
  // The year before has no Feb 29.
  const [year, day] = [Number(last.slice(0, 4)) - 1, last.slice(4) === '-02-29' ? '-02-28' : last.slice(4)];
  return addDays(`${year}${day}`, 1);
}

/** The amount of each day from first to last in dollars; 0 for days without payments. */
export function dailyPayments(totals: DailyTotal[], first: Day, last: Day): PaymentAnalytics['dailyPayments'] {
  const byDay = new Map(totals.map((total) => [total.day, total.netCents]));
  return daysBetween(first, last).map((date) => ({ date, amount: (byDay.get(date) ?? 0) / 100 }));
}

export function sumCounts(totals: DailyTotal[], column: 'methods' | 'statuses' | 'hours'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const total of totals) {
    for (const [name, count] of Object.entries(JSON.parse(total[column]) as Record<string, number>)) {
      if (count > 0) sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
}

/** Payment figures of an account by its local days, from the daily totals, which are updated as payments settle. */
export async function viewAnalytics(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  timeframe: Timeframe,
): Promise<PaymentAnalytics> {
  const today = await clinicDay({ db, now }, accountId);
  const first = firstDay(today, timeframe);
  const totals = await listDailyTotals(db, accountId, first, today);
  return {
    dailyPayments: dailyPayments(totals, first, today),
    paymentMethods: sumCounts(totals, 'methods'),
    transactionStatus: sumCounts(totals, 'statuses'),
  };
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Further analytics figures: refunds, the previous period, and payments by weekday and hour. */
export async function viewComparison(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  timeframe: Timeframe,
): Promise<AnalyticsComparison> {
  const today = await clinicDay({ db, now }, accountId);
  const first = firstDay(today, timeframe);
  const previousLastDay = addDays(first, -1);
  const previousFirstDay = firstDay(previousLastDay, timeframe);
  const totals = await listDailyTotals(db, accountId, previousFirstDay, today);
  const previousTotals = totals.filter(({ day }) => day < first);
  const currentTotals = totals.filter(({ day }) => day >= first);
  const methods = Object.values(sumCounts(previousTotals, 'methods'));
  return {
    refunds: {
      amount: currentTotals.reduce((sum, { refundCents }) => sum + refundCents, 0) / 100,
      count: currentTotals.reduce((sum, { refunds }) => sum + refunds, 0),
    },
    before: {
      payments: methods.reduce((sum, count) => sum + count, 0),
      dailyPayments: dailyPayments(previousTotals, previousFirstDay, previousLastDay),
    },
    hours: WEEKDAYS.map((weekday) => {
      const counts = sumCounts(
        currentTotals.filter(({ day }) => weekdayOf(day) === weekday),
        'hours',
      );
      return HOURS.map((hour) => counts[hour] ?? 0);
    }),
  };
}
