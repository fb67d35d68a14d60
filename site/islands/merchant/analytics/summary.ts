import type { AnalyticsComparison, PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { sumOf } from './buckets.ts';

/** Fewer payments than these before are no measure. */
const LEAST_BEFORE = 5;
export const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const beforeNames: Record<Timeframe, string> = {
  week: '7 days before',
  month: '30 days before',
  year: '12 months before',
};

/** By how many whole percent it is more than the period before, below zero less; null where there is nothing to compare with. */
export function changeOf(netCents: number, { before }: AnalyticsComparison): number | null {
  const beforeCents = sumOf(before.dailyPayments);
  if (before.payments < LEAST_BEFORE || beforeCents <= 0) return null;
  return Math.round((100 * (netCents - beforeCents)) / beforeCents);
}

/** "8 AM" */
export const hourName = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

export type Busiest = { weekday: number; hour: number; average: string };

/** The hour of the week with the most payments, the earliest of several; null: there were none. */
export function busiestOf(hours: number[][], days: PaymentAnalytics['dailyPayments']): Busiest | null {
  const cells = hours.flatMap((counts, weekday) => counts.map((count, hour) => ({ weekday, hour, count })));
  const most = cells.reduce((best, cell) => (cell.count > best.count ? cell : best), { weekday: 0, hour: 0, count: 0 });
  if (most.count === 0) return null;
  const such = days.filter(({ date }) => new Date(`${date}T00:00:00Z`).getUTCDay() === most.weekday).length;
  const average = most.count / Math.max(1, such);
  return { ...most, average: String(average < 10 ? Math.round(average * 10) / 10 : Math.round(average)) };
}
