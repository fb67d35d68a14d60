import { addDays } from '#shared/text/local-day';
import { dayNow, formatDay } from '#site/islands/ui/format-moment.ts';
import { writeRange } from '../lists/range.ts';
import type { List } from '../lists/use-list.ts';
import type { PaymentFacts } from './payments.tsx';

const YEAR = 365;

type Period = PaymentFacts['period'];

const sayDays = ({ from, to }: Period): string =>
  from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`;

function sayNone(q: string, { day, status }: Record<string, string>, period: Period | undefined): string {
  const subject = q ? `No payment matches "${q}"` : 'No payments';
  const days = !q && !status && !day ? 'in the last 30 days' : period && sayDays(period);
  return [subject, status && 'with this status', days].filter(Boolean).join(' ');
}

/** Says which days an empty list is about, and offers a year of them. */
export function NoPayments({ list, period }: { list: List<unknown>; period: Period | undefined }) {
  const { q, filters } = list.query;
  const today = dayNow();
  const isShort = !period || addDays(period.from, YEAR - 1) > period.to;
  const lastYear = writeRange({ from: addDays(today, 1 - YEAR), to: today });
  const press = (name: string, change: Parameters<typeof list.show>[0]) => (
    <button type="button" className="text-button" onClick={() => list.show({ ...change, page: 1 })}>
      {name}
    </button>
  );
  return (
    <>
      <p>{sayNone(q, filters, period)}.</p>
      {isShort && <p>{press(`${q ? 'Search' : 'Show'} the last year`, { filters: { ...filters, day: lastYear } })}</p>}
      {q ? (
        <p>{press('Clear search', { q: '' })}</p>
      ) : (
        filters.status && <p>{press('Clear filters', { filters: {} })}</p>
      )}
    </>
  );
}
