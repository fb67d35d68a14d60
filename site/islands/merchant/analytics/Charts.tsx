import { useState } from 'react';
import type {
  PaymentAnalytics as Analytics,
  AnalyticsComparison,
  Timeframe,
} from '#shared/contracts/payments/analytics';
import { ChartCard, type ChartState } from './ChartCard.tsx';
import {
  type Bucket,
  bucketsOf,
  type Count,
  formatDollars,
  methodCounts,
  previousPeriodNames,
  type Span,
  sharesOf,
  statusCounts,
  totalOf,
} from './figures.ts';
import { PaymentHours } from './PaymentHours.tsx';
import { StatusBars } from './StatusBars.tsx';
import { VolumeChart } from './Volume.tsx';
import '#site/styles/parts/page/ring.css';

const SIZE = 200;
/** The middle of a ring from radius 54 to 86, in a view box of 200 by 200. */
const RADIUS = 70;
const THICKNESS = 32;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
/** The gap between slices, so that similar greens do not touch. */
const SLICE_GAP = 2;

/** Payments by method as a ring chart with a legend. The center shows the hovered method. */
export function MethodRing({ methods }: { methods: Count[] }) {
  const [hovered, setHovered] = useState<number | null>(null);
  const total = totalOf(methods);
  const shares = sharesOf(methods);
  const hoveredMethod = hovered === null ? undefined : methods[hovered];
  let offset = 0;
  const slices = methods.map(({ count }) => {
    const length = (count / total) * CIRCUMFERENCE;
    const slice = { length, start: offset };
    offset += length;
    return slice;
  });
  return (
    <div className="ring">
      <div className="ring-plot">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
          {total === 0 && <circle className="ring-none" cx={100} cy={100} r={RADIUS} strokeWidth={THICKNESS} />}
          {slices.map(({ length, start }, index) => (
            <circle
              key={methods[index]?.name}
              className={`ring-slice chart-${index + 1}${hovered === null || hovered === index ? '' : ' ring-quiet'}`}
              cx={100}
              cy={100}
              r={RADIUS}
              strokeWidth={THICKNESS}
              strokeDasharray={`${methods.length > 1 ? Math.max(length - SLICE_GAP, length / 2) : length} ${CIRCUMFERENCE}`}
              strokeDashoffset={-start}
              onPointerEnter={() => setHovered(index)}
              onPointerLeave={() => setHovered(null)}
            />
          ))}
        </svg>
        {total > 0 && (
          <p className="ring-middle">
            <strong>{hoveredMethod && hovered !== null ? shares[hovered] : total.toLocaleString('en-US')}</strong>
            <span>{hoveredMethod ? hoveredMethod.name : total === 1 ? 'payment' : 'payments'}</span>
          </p>
        )}
      </div>
      <ul className="ring-legend" aria-label="Payment methods">
        {methods.map(({ name, count }, index) => (
          <li key={name} onPointerEnter={() => setHovered(index)} onPointerLeave={() => setHovered(null)}>
            <span className={`ring-swatch chart-${index + 1}`} aria-hidden="true" />
            <span className="ring-name">{name}</span>
            <span className="ring-count">
              {count.toLocaleString('en-US')} <span className="ring-share">{shares[index]}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Props = {
  timeframe: Timeframe;
  /** Null while loading, or if not available. */
  analytics: Analytics | null;
  comparison: AnalyticsComparison | null;
  state: ChartState;
  isComparing: boolean;
};

const spanHeaders: Record<Span, string> = { days: 'Day', weeks: 'Week', months: 'Month' };

export function Charts({ timeframe, analytics, comparison, state, isComparing }: Props) {
  const [longSpan, setLongSpan] = useState<Span>('weeks');
  const span = timeframe === 'year' ? longSpan : 'days';
  const days = analytics?.dailyPayments ?? [];
  const buckets = bucketsOf(days, comparison?.before.dailyPayments ?? null, span);
  const methods = methodCounts(analytics?.paymentMethods ?? {});
  const statuses = analytics ? statusCounts(analytics.transactionStatus) : [];
  const [payments, attempts] = [totalOf(methods), totalOf(statuses)];
  const figureText = (text: string) => (state === 'initial' ? '' : state === 'failed' ? 'N/A' : text);
  const hasNoVolume = payments === 0 && buckets.every(({ amount }) => amount === 0);
  return (
    <div className="charts" aria-busy={state === 'loading' || undefined}>
      <ChartCard
        className="chart-volume"
        title="Payment Volume Over Time"
        figure={
          <>
            {timeframe === 'year' && <SpanChoice span={span} onChange={setLongSpan} />}
            <p className="legend">
              <span className="legend-own">Net per {span.slice(0, -1)}</span>
              <span className="legend-before" hidden={!comparison && !isComparing}>
                {previousPeriodNames[timeframe]}
              </span>
            </p>
          </>
        }
        table={{
          headers: [spanHeaders[span], 'Net', ...(comparison ? [previousPeriodNames[timeframe]] : [])],
          rows: buckets.map(tableRowOf),
        }}
        state={state}
        isEmpty={hasNoVolume}
      >
        <VolumeChart buckets={buckets} span={span} />
      </ChartCard>
      <ChartCard
        className="chart-methods"
        title="Payment Methods"
        figure={figureText(payments.toLocaleString('en-US'))}
        table={{ headers: ['Method', 'Payments'], rows: methods.map(({ name, count }) => [name, String(count)]) }}
        state={state}
        isEmpty={payments === 0}
      >
        <MethodRing methods={methods} />
      </ChartCard>
      <ChartCard
        className="chart-statuses"
        title="Transaction Status Distribution"
        figure={figureText(attempts.toLocaleString('en-US'))}
        table={{ headers: ['Status', 'Attempts'], rows: statuses.map(({ name, count }) => [name, String(count)]) }}
        state={state}
        isEmpty={attempts === 0}
      >
        <StatusBars statuses={statuses} />
      </ChartCard>
      <div id="when" className="chart-when-place">
        <PaymentHours comparison={comparison} isComparing={isComparing} days={days} />
      </div>
    </div>
  );
}

const tableRowOf = ({ name, amount, before: previousAmount }: Bucket) => [
  name,
  formatDollars(amount),
  ...(previousAmount === null ? [] : [formatDollars(previousAmount)]),
];

const longSpans = [
  ['weeks', 'Weeks'],
  ['months', 'Months'],
] as const;

function SpanChoice({ span, onChange }: { span: Span; onChange(span: Span): void }) {
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
