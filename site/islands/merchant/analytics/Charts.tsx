import { useState } from 'react';
import type { PaymentAnalytics as Analytics, AnalyticsComparison } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { type Bucket, bucketsOf, type Span } from './buckets.ts';
import { ChartCard } from './ChartCard.tsx';
import { MethodRing } from './MethodRing.tsx';
import { StatusBars } from './StatusBars.tsx';
import { beforeNames } from './summary.ts';
import { Volume } from './Volume.tsx';
import { When } from './When.tsx';
import { dollars, methodCounts, statusCounts, totalOf } from './words.ts';

type Props = {
  timeframe: Timeframe;
  analytics: Analytics;
  comparison: AnalyticsComparison | null;
  state: 'first' | 'loading' | 'failed' | 'shown';
  isComparing: boolean;
};

const heads: Record<Span, string> = { days: 'Day', weeks: 'Week', months: 'Month' };

export function Charts({ timeframe, analytics, comparison, state, isComparing }: Props) {
  const [longSpan, setLongSpan] = useState<Span>('weeks');
  const span = timeframe === 'year' ? longSpan : 'days';
  const buckets = bucketsOf(analytics.dailyPayments, comparison?.before.dailyPayments ?? null, span);
  const methods = methodCounts(analytics.paymentMethods);
  const statuses = state === 'failed' || state === 'first' ? [] : statusCounts(analytics.transactionStatus);
  const [payments, attempts] = [totalOf(methods), totalOf(statuses)];
  const isFirst = state === 'first';
  const none = (isEmpty: boolean) =>
    isEmpty && (
      <p className="chart-none">
        <span>{state === 'failed' ? 'Not loaded.' : 'No payments in this time.'}</span>
      </p>
    );
  const wait = <div className="chart-wait" />;
  const figure = (text: string) => (isFirst ? '' : state === 'failed' ? 'N/A' : text);
  const isQuiet = payments === 0 && buckets.every(({ amount }) => amount === 0);
  return (
    <div className="charts" aria-busy={state === 'loading' || undefined}>
      <ChartCard
        className="chart-volume"
        title="Payment Volume Over Time"
        figure={
          <>
            {timeframe === 'year' && <Spans span={span} onChange={setLongSpan} />}
            <p className="legend">
              <span className="legend-own">Net per {span.slice(0, -1)}</span>
              <span className="legend-before" hidden={!comparison && !isComparing}>
                {beforeNames[timeframe]}
              </span>
            </p>
          </>
        }
        table={{
          heads: [heads[span], 'Net', ...(comparison ? [beforeNames[timeframe]] : [])],
          rows: buckets.map(rowOf),
        }}
      >
        {isFirst ? wait : <Volume buckets={buckets} span={span} />}
        {!isFirst && none(isQuiet)}
      </ChartCard>
      <ChartCard
        className="chart-methods"
        title="Payment Methods"
        figure={figure(payments.toLocaleString('en-US'))}
        table={{ heads: ['Method', 'Payments'], rows: methods.map(({ name, count }) => [name, String(count)]) }}
      >
        {isFirst ? wait : <MethodRing methods={methods} />}
        {!isFirst && none(payments === 0)}
      </ChartCard>
      <ChartCard
        className="chart-statuses"
        title="Transaction Status Distribution"
        figure={figure(attempts.toLocaleString('en-US'))}
        table={{ heads: ['Status', 'Attempts'], rows: statuses.map(({ name, count }) => [name, String(count)]) }}
      >
        {isFirst ? wait : <StatusBars statuses={statuses} />}
        {!isFirst && none(attempts === 0)}
      </ChartCard>
      <div id="when" className="chart-when-place">
        <When comparison={comparison} isComparing={isComparing} days={analytics.dailyPayments} />
      </div>
    </div>
  );
}

const rowOf = ({ name, amount, before }: Bucket) => [
  name,
  dollars(amount),
  ...(before === null ? [] : [dollars(before)]),
];

const longSpans = [
  ['weeks', 'Weeks'],
  ['months', 'Months'],
] as const;

function Spans({ span, onChange }: { span: Span; onChange(span: Span): void }) {
  return (
    <fieldset className="spans">
      <legend className="sr-only">Points of the line</legend>
      {longSpans.map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="span"
            className="sr-only"
            checked={span === value}
            onChange={() => onChange(value)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
