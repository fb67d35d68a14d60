import type { PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { addDays, type Day, daysBetween, localDay } from '#shared/text/local-day';
import { type DailyTotal, findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import type { Deps } from '#worker/deps';

/** Payment figures of an account by its own local days; the sums were kept as the payments settled. */
export async function viewAnalytics(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  timeframe: Timeframe,
): Promise<PaymentAnalytics> {
  const today = localDay(now(), await findTimeZone(db, accountId));
  const first = firstDay(today, timeframe);
  const totals = await listDailyTotals(db, accountId, first, today);
  const byDay = new Map(totals.map((total) => [total.day, total.netCents]));
  return {
    dailyPayments: daysBetween(first, today).map((date) => ({ date, amount: (byDay.get(date) ?? 0) / 100 })),
    paymentMethods: sumCounts(totals, 'methods'),
    transactionStatus: sumCounts(totals, 'statuses'),
  };
}

/** First day of a timeframe: 7 days, 30 days, or 12 months, from the day after today's date of last year. */
function firstDay(today: Day, timeframe: Timeframe): Day {
  if (timeframe === 'week') return addDays(today, -6);
  if (timeframe === 'month') return addDays(today, -29);
  const year = Number(today.slice(0, 4)) - 1;
  return addDays(`${year}${today.slice(4)}`, 1);
}

function sumCounts(totals: DailyTotal[], column: 'methods' | 'statuses'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const total of totals) {
    for (const [name, count] of Object.entries(JSON.parse(total[column]) as Record<string, number>)) {
      if (count > 0) sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
}
