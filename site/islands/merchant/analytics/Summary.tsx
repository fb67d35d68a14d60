import type { ReactNode } from 'react';
import type { AnalyticsComparison, PaymentAnalytics, Timeframe } from '#shared/contracts/payments/analytics';
import { formatCount } from '#shared/text/format-count';
import {
  busiestHourOf,
  DAY_NAMES,
  formatDollars,
  hourName,
  methodCounts,
  percentChangeOf,
  previousPeriodNames,
  sumOf,
  totalOf,
} from './figures.ts';

type Props = {
  timeframe: Timeframe;
  /** Null while the figures load, or if they are not available. */
  analytics: PaymentAnalytics | null;
  comparison: AnalyticsComparison | null;
  isLoading: boolean;
  isComparing: boolean;
};

/** Income and refunds compared with the previous period, and the busiest hour. */
export function Summary({ timeframe, analytics, comparison, isLoading, isComparing }: Props) {
  const days = analytics?.dailyPayments ?? [];
  const net = sumOf(days);
  const payments = analytics ? totalOf(methodCounts(analytics.paymentMethods)) : 0;
  const fullComparison = analytics && comparison;
  const refundCents = fullComparison ? Math.round(comparison.refunds.amount * 100) : 0;
  const busiest = fullComparison && busiestHourOf(comparison.hours, days);
  return (
    <dl className="card figures" aria-busy={isLoading || undefined}>
      <Figure name="Net" isMain value={analytics && centsToDollars(net)} isLoading={isLoading}>
        {isLoading ? (
          <span role="status">Loading analytics...</span>
        ) : (
          fullComparison && (
            <ChangeText percent={percentChangeOf(net, comparison)} name={previousPeriodNames[timeframe]} />
          )
        )}
      </Figure>
      <Figure
        name="Gross"
        value={fullComparison && centsToDollars(net + refundCents)}
        isLoading={isLoading || isComparing}
      >
        {analytics && formatCount(payments, 'payment')}
      </Figure>
      <Figure
        name="Refunds"
        value={fullComparison && centsToDollars(-refundCents)}
        isLoading={isLoading || isComparing}
      >
        {fullComparison &&
          (comparison.refunds.count === 0
            ? 'None'
            : `${comparison.refunds.count.toLocaleString('en-US')}${net + refundCents > 0 ? `, ${((100 * refundCents) / (net + refundCents)).toFixed(1)}% of gross` : ''}`)}
      </Figure>
      <Figure
        name="Busiest hour"
        value={
          busiest ? (
            <a href="#when">{`${DAY_NAMES[busiest.weekday]}, ${hourName(busiest.hour)}`}</a>
          ) : (
            fullComparison && 'None yet'
          )
        }
        isLoading={isLoading || isComparing}
      >
        {busiest && `${busiest.average} ${busiest.average === '1' ? 'payment' : 'payments'} on average`}
      </Figure>
    </dl>
  );
}

const centsToDollars = (amount: number) => formatDollars(amount / 100);

type FigureProps = { name: string; value: ReactNode; isMain?: boolean; isLoading: boolean; children: ReactNode };

function Figure({ name, value, isMain = false, isLoading, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className={isMain ? 'figure-value figure-main' : 'figure-value'}>
        {value ?? (isLoading ? <span className="figure-wait" /> : 'N/A')}
      </dd>
      <dd className="figure-note">{children}</dd>
    </div>
  );
}

/** The change from the previous period. A rise is green. A fall is neutral, since it may be expected. */
function ChangeText({ percent, name }: { percent: number | null; name: string }) {
  if (percent === null) return null;
  if (percent === 0) return <>The same as the {name}</>;
  const isRise = percent > 0;
  return (
    <>
      <strong className={isRise ? 'figure-rise' : undefined}>
        {Math.abs(percent).toLocaleString('en-US')}% {isRise ? 'more' : 'less'}
      </strong>{' '}
      than the {name}
    </>
  );
}
