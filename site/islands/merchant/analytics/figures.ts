import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { formatMoney } from '#shared/money';
import { addDays, weekdayOf } from '#shared/text/local-day';
import { formatDayWith } from '#site/islands/ui/format-moment.ts';

export const DECLINED = 'Declined';

/** Outcomes of an attempt, in the order of the bars. */
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

/** A bar for each outcome that occurred; `approved` and `declined` always have one. */
export function statusCounts(counts: Record<string, number>): Count[] {
  const known = Object.keys(statusNames).filter((key) => counts[key] || key === 'approved' || key === 'declined');
  const others = Object.keys(counts).filter((key) => !(key in statusNames));
  return [...known, ...others].map((key) => ({ name: statusNames[key] ?? key, count: counts[key] ?? 0 }));
}

/** Payments by method, the most used first. */
export const methodCounts = (counts: Record<string, number>): Count[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));

export const totalOf = (counts: Count[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/**
 * Each count's share of the total, such as "8%". Each is rounded on its own: equal counts have equal shares, even if
 * these then add up to 99% or 101%. Never 0% for a count above 0, nor 100% for less than the total.
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

/** "Mar 4" */
export const dayName = (day: string): string => formatDayWith(day, { month: 'short', day: 'numeric' });
/** "Mar 4, 2026" */
export const fullDay = (day: string): string => formatDayWith(day, { month: 'short', day: 'numeric', year: 'numeric' });
/** "Mar" */
export const monthName = (day: string): string => formatDayWith(day, { month: 'short' });

/** Formats dollars from the Worker, to the cent: "$1,184.00". */
export const dollars = (amount: number): string => formatMoney(Math.round(amount * 100), 'USD');

type Days = PaymentAnalytics['dailyPayments'];
export type Span = 'days' | 'weeks' | 'months';

/** A point on the line: a day, or the days of one week or month within the timeframe. */
export type Bucket = {
  first: string;
  name: string;
  /** Dollars. */
  amount: number;
  /** Dollars for the same days of the previous period; null if unknown. */
  before: number | null;
};

/** Monday of the week that contains the day. */
const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7));

const keys: Record<Span, (day: string) => string> = {
  days: (day) => day,
  weeks: mondayOf,
  months: (day) => day.slice(0, 7),
};

/** Sum in cents, since adding float dollars is not exact. */
export const sumOf = (days: Days): number => days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);

/**
 * Groups days by calendar span, oldest first. `previousDays` has the same length, and its nth day is compared with the
 * nth of `days`.
 */
export function bucketsOf(days: Days, previousDays: Days | null, span: Span): Bucket[] {
  const groups: { key: string; from: number; to: number }[] = [];
  for (const [index, { date }] of days.entries()) {
    const key = keys[span](date);
    const last = groups.at(-1);
    if (last?.key === key) last.to = index + 1;
    else groups.push({ key, from: index, to: index + 1 });
  }
  return groups.map(({ from, to }) => {
    const [first, last] = [days[from]?.date ?? '', days[to - 1]?.date ?? ''];
    return {
      first,
      name: nameOf(span, first, last),
      amount: sumOf(days.slice(from, to)) / 100,
      before: previousDays && sumOf(previousDays.slice(from, to)) / 100,
    };
  });
}

function nameOf(span: Span, first: string, last: string): string {
  if (first === last) return fullDay(first);
  return span === 'months' ? `${monthName(first)} ${first.slice(0, 4)}` : `${dayName(first)} to ${fullDay(last)}`;
}

/** Minimum number of payments in the previous period for a comparison. */
const MIN_PREVIOUS_PAYMENTS = 5;
export const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const previousPeriodNames: Record<Timeframe, string> = {
  week: '7 days before',
  month: '30 days before',
  year: '12 months before',
};

/**
 * Change from the previous period in whole percent, negative for a drop; null if there is nothing to compare with.
 */
export function changeOf(netCents: number, { before }: AnalyticsComparison): number | null {
  const previousCents = sumOf(before.dailyPayments);
  if (before.payments < MIN_PREVIOUS_PAYMENTS || previousCents <= 0) return null;
  return Math.round((100 * (netCents - previousCents)) / previousCents);
}

/** "8 AM" */
export const hourName = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

export type Busiest = { weekday: number; hour: number; average: string };

/**
 * Hour of the week with the most payments, on average over that weekday's days in the period. On a tie, the hour with
 * more payments, then the earlier one. Null without payments.
 */
export function busiestOf(hours: number[][], days: PaymentAnalytics['dailyPayments']): Busiest | null {
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
