import type { PaymentAnalytics } from '#shared/contracts/analytics';
import { dayName, fullDay, monthName } from './words.ts';

type Days = PaymentAnalytics['dailyPayments'];
export type Span = 'days' | 'weeks' | 'months';

/** A point of the line: a day, or the days of one week or month that lie in the timeframe. */
export type Bucket = {
  first: string;
  name: string;
  /** Dollars. */
  amount: number;
  /** Of the same days of the period before; null: not known. */
  before: number | null;
};

/** Monday of the week that a day is in. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

const keys: Record<Span, (day: string) => string> = {
  days: (day) => day,
  weeks: mondayOf,
  months: (day) => day.slice(0, 7),
};

/** In cents, since a sum of float dollars is not exact. */
export const sumOf = (days: Days): number => days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);

/** The days put together by the calendar, oldest first. `before` is as long, so that the n-th day stands beside the n-th. */
export function bucketsOf(days: Days, before: Days | null, span: Span): Bucket[] {
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
      before: before && sumOf(before.slice(from, to)) / 100,
    };
  });
}

function nameOf(span: Span, first: string, last: string): string {
  if (first === last) return fullDay(first);
  return span === 'months' ? `${monthName(first)} ${first.slice(0, 4)}` : `${dayName(first)} to ${fullDay(last)}`;
}
