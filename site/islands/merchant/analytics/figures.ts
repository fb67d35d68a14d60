import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { formatMoney } from '#shared/money';
import { addDays, weekdayOf } from '#shared/text/local-day';
import { formatDayWith } from '#site/islands/ui/format-moment.ts';

export const DECLINED = 'Declined';

/** The outcomes of an attempt, in the order of the bars. */
const statusNames: Record<string, string> = {
  approved: 'Approved',
  declined: DECLINED,
  rejected: 'Not accepted',
  not_charged: 'Not charged',
  cancelled: 'Cancelled',
  timed_out: 'Timed out',
  voided: 'Voided',
  refunded: 'Refunded',
  returned: 'Returned',
};

export type Count = { name: string; count: number };

/** Returns the count of each outcome that occurred, and always those of `approved` and `declined`. */
export function statusCounts(counts: Record<string, number>): Count[] {
  const known = Object.keys(statusNames).filter((key) => counts[key] || key === 'approved' || key === 'declined');
  const others = Object.keys(counts).filter((key) => !(key in statusNames));
  return [...known, ...others].map((key) => ({ name: statusNames[key] ?? key, count: counts[key] ?? 0 }));
}

/** Returns the payments by method, the most used method first. */
export const methodCounts = (counts: Record<string, number>): Count[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));

export const totalOf = (counts: Count[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/**
 * Returns each count's share of the total, for example "8%". Each share is rounded separately, so that equal counts
 * have equal shares, even if these add up to 99% or 101%. Only a count of 0 is "0%", and only the total is "100%".
 */
export function sharesOf(counts: Count[]): string[] {
  const total = totalOf(counts);
  if (total === 0) return counts.map(() => '0%');
  return counts.map(({ count }) => {
    const percent = Math.round((100 * count) / total);
    if (percent === 0) return count === 0 ? '0%' : '<1%';
    return percent === 100 && count < total ? '>99%' : `${percent}%`;
  });
}

/** Returns for example "Mar 4". */
export const dayName = (day: string): string => formatDayWith(day, { month: 'short', day: 'numeric' });
/** Returns for example "Mar 4, 2026". */
export const fullDay = (day: string): string => formatDayWith(day, { month: 'short', day: 'numeric', year: 'numeric' });
/** Returns for example "Mar". */
export const monthName = (day: string): string => formatDayWith(day, { month: 'short' });

/** Formats a dollar amount from the Worker, for example "$1,184.00". */
export const formatDollars = (amount: number): string => formatMoney(Math.round(amount * 100), 'USD');

type Days = PaymentAnalytics['dailyPayments'];
export type Span = 'days' | 'weeks' | 'months';

/** A point on the line: one day, or the days of one week or month within the timeframe. */
export type Bucket = {
  first: string;
  name: string;
  /** In dollars. */
  amount: number;
  /** In dollars, for the matching days of the previous period; null if unknown. */
  before: number | null;
};

/** Returns the Monday of the week that contains the day. */
const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7));

const groupKeys: Record<Span, (day: string) => string> = {
  days: (day) => day,
  weeks: mondayOf,
  months: (day) => day.slice(0, 7),
};

/** Returns the sum in cents, since adding floats is not exact. */
export const sumOf = (days: Days): number => days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);

/**
 * Groups days by calendar span, oldest first. `previousDays` has the same length as `days`, and its nth day is compared
 * with the nth of `days`.
 */
export function bucketsOf(days: Days, previousDays: Days | null, span: Span): Bucket[] {
  const groups: { key: string; from: number; to: number }[] = [];
  for (const [index, { date }] of days.entries()) {
    const key = groupKeys[span](date);
    const last = groups.at(-1);
    if (last?.key === key) last.to = index + 1;
    else groups.push({ key, from: index, to: index + 1 });
  }
  return groups.map(({ from, to }) => {
    const [first, last] = [days[from]?.date ?? '', days[to - 1]?.date ?? ''];
    return {
      first,
      name: bucketName(span, first, last),
      amount: sumOf(days.slice(from, to)) / 100,
      before: previousDays && sumOf(previousDays.slice(from, to)) / 100,
    };
  });
}

function bucketName(span: Span, first: string, last: string): string {
  if (first === last) return fullDay(first);
  return span === 'months' ? `${monthName(first)} ${first.slice(0, 4)}` : `${dayName(first)} to ${fullDay(last)}`;
}

/** The minimum number of payments in the previous period for a comparison. */
const MIN_PREVIOUS_PAYMENTS = 5;
export const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const previousPeriodNames: Record<Timeframe, string> = {
  week: '7 days before',
  month: '30 days before',
  year: '12 months before',
};

/**
 * Returns the change from the previous period in whole percent. Null if that period has too few payments or no income.
 */
export function percentChangeOf(netCents: number, { before }: AnalyticsComparison): number | null {
  const previousCents = sumOf(before.dailyPayments);
  if (before.payments < MIN_PREVIOUS_PAYMENTS || previousCents <= 0) return null;
  return Math.round((100 * (netCents - previousCents)) / previousCents);
}

/** Returns for example "8 AM". */
export const hourName = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

export type BusiestHour = { weekday: number; hour: number; average: string };

/**
 * Returns the hour of the week with the most payments on average, counting how often its weekday is in the period. On
 * a tie, the hour with more payments wins, then the earlier one. Null without payments.
 */
export function busiestHourOf(hours: number[][], days: PaymentAnalytics['dailyPayments']): BusiestHour | null {
  const dayCounts = DAY_NAMES.map((_name, weekday) => days.filter(({ date }) => weekdayOf(date) === weekday).length);
  const cells = hours.flatMap((counts, weekday) =>
    counts.map((count, hour) => ({ weekday, hour, count, average: count / Math.max(1, dayCounts[weekday] ?? 0) })),
  );
  const [busiest] = cells
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.average - a.average || b.count - a.count || a.weekday - b.weekday || a.hour - b.hour);
  if (!busiest) return null;
  const { weekday, hour, average } = busiest;
  return { weekday, hour, average: String(average < 10 ? Math.round(average * 10) / 10 : Math.round(average)) };
}
