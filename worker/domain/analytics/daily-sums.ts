import type { PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { addDays, type Day, daysBetween } from '#shared/text/local-day';
import type { DailyTotal } from '#worker/data/analytics/daily-totals';

/** First day of a timeframe: 7 days, 30 days, or 12 months, from the day after its last day of the year before. */
export function firstDay(last: Day, timeframe: Timeframe): Day {
  if (timeframe === 'week') return addDays(last, -6);
  if (timeframe === 'month') return addDays(last, -29);
  // The year before has no Feb 29.
  const [year, day] = [Number(last.slice(0, 4)) - 1, last.slice(4) === '-02-29' ? '-02-28' : last.slice(4)];
  return addDays(`${year}${day}`, 1);
}

/** Each day from the first to the last in dollars, quiet ones as 0. */
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
