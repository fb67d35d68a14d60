import type { AnalyticsComparison } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { addDays, localDay } from '#shared/text/local-day';
import { findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import type { Deps } from '#worker/deps';
import { dailyPayments, firstDay, sumCounts } from './daily-sums.ts';

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

/** What analytics says beside the charts' own figures: what went back, the period before, and when people pay. */
export async function viewComparison(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  timeframe: Timeframe,
): Promise<AnalyticsComparison> {
  const today = localDay(now(), await findTimeZone(db, accountId));
  const first = firstDay(today, timeframe);
  const lastBefore = addDays(first, -1);
  const firstBefore = firstDay(lastBefore, timeframe);
  const totals = await listDailyTotals(db, accountId, firstBefore, today);
  const before = totals.filter(({ day }) => day < first);
  const own = totals.filter(({ day }) => day >= first);
  const methods = Object.values(sumCounts(before, 'methods'));
  return {
    refunds: {
      amount: own.reduce((sum, { refundCents }) => sum + refundCents, 0) / 100,
      count: own.reduce((sum, { refunds }) => sum + refunds, 0),
    },
    before: {
      payments: methods.reduce((sum, count) => sum + count, 0),
      dailyPayments: dailyPayments(before, firstBefore, lastBefore),
    },
    hours: WEEKDAYS.map((weekday) => {
      const counts = sumCounts(
        own.filter(({ day }) => weekdayOf(day) === weekday),
        'hours',
      );
      return HOURS.map((hour) => counts[hour] ?? 0);
    }),
  };
}
