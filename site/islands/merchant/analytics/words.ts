import { formatMoney } from '#shared/money';

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

/** Most used method first. */
export const methodCounts = (counts: Record<string, number>): Count[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));

export const totalOf = (counts: Count[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/** "8%", never 0% for a count above 0 nor 100% for less than all. */
export function shareOf(count: number, total: number): string {
  if (count === 0 || total === 0) return '0%';
  const percent = Math.round((100 * count) / total);
  if (percent === 0) return '<1%';
  return percent === 100 && count < total ? '>99%' : `${percent}%`;
}

const utc = { timeZone: 'UTC', month: 'short', day: 'numeric' } as const;
const shortDay = new Intl.DateTimeFormat('en-US', utc);
const longDay = new Intl.DateTimeFormat('en-US', { ...utc, year: 'numeric' });
const monthOnly = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' });
// A calendar day has no zone: noon UTC, formatted in UTC, is always the same day.
const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);

/** "Mar 4" */
export const dayName = (day: string): string => shortDay.format(noonOf(day));
/** "Mar 4, 2026" */
export const fullDay = (day: string): string => longDay.format(noonOf(day));
/** "Mar" */
export const monthName = (day: string): string => monthOnly.format(noonOf(day));

/** Dollars from the Worker, to the cent: "$1,184.00". */
export const dollars = (amount: number): string => formatMoney(Math.round(amount * 100), 'USD');

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** For the edge of a plot: "$800", "$1.2K". */
export function dollarTick(amount: number): string {
  const size = Math.abs(amount);
  return `${amount < 0 ? '−' : ''}$${size < 10_000 ? size.toLocaleString('en-US') : compact.format(size)}`;
}
