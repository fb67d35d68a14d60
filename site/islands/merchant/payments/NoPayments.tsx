import { ONLINE_PAYMENTS } from '#shared/contracts/payments/payment-list-values';
import { addDays } from '#shared/text/local-day';
import { formatDay, todayLocal } from '#site/islands/ui/format-moment.ts';
import { formatRange } from '../lists/range.ts';
import type { List } from '../lists/use-list.ts';
import type { PaymentFacts } from './payments.tsx';

const YEAR_DAYS = 365;

type Period = PaymentFacts['period'];

const describePeriod = ({ from, to }: Period): string =>
  from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`;

const describeLocation = (terminal: string): string =>
  terminal === ONLINE_PAYMENTS ? 'online' : 'at this card reader';

function describeEmptyList(
  q: string,
  { day, status, terminal }: Record<string, string>,
  period: Period | undefined,
): string {
  const subject = q ? `No payment matches "${q}"` : 'No payments';
  const periodText = !q && !status && !terminal && !day ? 'in the last 30 days' : period && describePeriod(period);
  return [subject, status && 'with this status', terminal && describeLocation(terminal), periodText]
    .filter(Boolean)
    .join(' ');
}

/** States the period of an empty list, and offers to search the last year. */
export function NoPayments({ list, period }: { list: List<unknown>; period: Period | undefined }) {
  const { q, filters } = list.query;
  const today = todayLocal();
  const isUnderOneYear = !period || addDays(period.from, YEAR_DAYS - 1) > period.to;
  const lastYear = formatRange({ from: addDays(today, 1 - YEAR_DAYS), to: today });
  const listButton = (name: string, change: Parameters<typeof list.show>[0]) => (
    <button type="button" className="text-button" onClick={() => list.show({ ...change, page: 1 })}>
      {name}
    </button>
  );
  return (
    <>
      <p>{describeEmptyList(q, filters, period)}.</p>
      {isUnderOneYear && (
        <p>{listButton(`${q ? 'Search' : 'Show'} the last year`, { filters: { ...filters, day: lastYear } })}</p>
      )}
      {q ? (
        <p>{listButton('Clear search', { q: '' })}</p>
      ) : (
        (filters.status || filters.terminal) && <p>{listButton('Clear filters', { filters: {} })}</p>
      )}
    </>
  );
}
