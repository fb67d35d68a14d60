import type { PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { localDay } from '#shared/text/local-day';
import { findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import type { Deps } from '#worker/deps';
import { dailyPayments, firstDay, sumCounts } from './daily-sums.ts';

/** Payment figures of an account by its own local days; the sums were kept as the payments settled. */
export async function viewAnalytics(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  timeframe: Timeframe,
): Promise<PaymentAnalytics> {
  const today = localDay(now(), await findTimeZone(db, accountId));
  const first = firstDay(today, timeframe);
  const totals = await listDailyTotals(db, accountId, first, today);
  return {
    dailyPayments: dailyPayments(totals, first, today),
    paymentMethods: sumCounts(totals, 'methods'),
    transactionStatus: sumCounts(totals, 'statuses'),
  };
}
