import { useId } from 'react';
import type { PaymentAnalytics as Analytics } from '../../../../shared/contracts/analytics.ts';
import { defaultTimeframe, type Timeframe, timeframes } from '../../../../shared/contracts/analytics-request.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Select } from '../../ui/form/Select.tsx';
import { setSearch, useSearch } from '../../ui/routing/router.tsx';
import { ChartCard } from './ChartCard.tsx';
import { DailyVolume } from './DailyVolume.tsx';
import { MethodRing } from './MethodRing.tsx';
import { StatusBars } from './StatusBars.tsx';
import { useAnalytics } from './use-analytics.ts';
import { dollars, fullDay, methodCounts, statusCounts, totalOf } from './words.ts';
import '../../../styles/areas/merchant/analytics.css';

const names: Record<Timeframe, string> = { week: 'Last 7 Days', month: 'Last 30 Days', year: 'Last 12 Months' };
const NOTHING: Analytics = { dailyPayments: [], paymentMethods: {}, transactionStatus: {} };

/** The dashboard's charts: daily volume, payment methods, and outcomes of attempts. */
export function PaymentAnalytics() {
  const id = useId();
  const asked = new URLSearchParams(useSearch()).get('timeframe');
  const timeframe = timeframes.find((known) => known === asked) ?? defaultTimeframe;
  const { analytics, isLoading, failure, retry } = useAnalytics(timeframe);
  return (
    <div className="analytics">
      <div className="analytics-head">
        <h2 tabIndex={-1}>Payment Analytics</h2>
        <label className="sr-only" htmlFor={id}>
          Timeframe
        </label>
        <Select
          id={id}
          value={timeframe}
          onChange={({ target }) => setSearch(target.value === 'month' ? '' : `timeframe=${target.value}`)}
        >
          {timeframes.map((each) => (
            <option key={each} value={each}>
              {names[each]}
            </option>
          ))}
        </Select>
      </div>
      {failure !== null && (
        <Banner
          tone="warn"
          lead="The figures could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={retry}>
              Retry
            </button>
          }
        >
          {failure}
        </Banner>
      )}
      {isLoading && analytics === null ? (
        <p role="status" className="app-quiet">
          Loading analytics...
        </p>
      ) : (
        <Charts analytics={analytics ?? NOTHING} isLoading={isLoading} hasFailed={analytics === null} />
      )}
    </div>
  );
}

type ChartsProps = { analytics: Analytics; isLoading: boolean; hasFailed: boolean };

function Charts({ analytics, isLoading, hasFailed }: ChartsProps) {
  const { dailyPayments: days } = analytics;
  const methods = methodCounts(analytics.paymentMethods);
  const statuses = hasFailed ? [] : statusCounts(analytics.transactionStatus);
  const [payments, attempts] = [totalOf(methods), totalOf(statuses)];
  // Summed in cents, since a sum of float dollars is not exact.
  const sum = days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
  const none = (isEmpty: boolean) =>
    isEmpty && (
      <p className="chart-none">
        <span>{hasFailed ? 'Not loaded.' : 'No payments in this time.'}</span>
      </p>
    );
  const figure = (text: string) => (hasFailed ? 'N/A' : text);
  return (
    <div className="charts" aria-busy={isLoading || undefined}>
      <ChartCard
        className="chart-volume"
        title="Payment Volume Over Time"
        figure={<span className="money">{figure(dollars(sum))}</span>}
        table={{ heads: ['Day', 'Amount'], rows: days.map(({ date, amount }) => [fullDay(date), dollars(amount)]) }}
      >
        <DailyVolume days={days} />
        {none(payments === 0 && days.every(({ amount }) => amount === 0))}
      </ChartCard>
      <ChartCard
        className="chart-methods"
        title="Payment Methods"
        figure={figure(payments.toLocaleString('en-US'))}
        table={{ heads: ['Method', 'Payments'], rows: methods.map(({ name, count }) => [name, String(count)]) }}
      >
        <MethodRing methods={methods} />
        {none(payments === 0)}
      </ChartCard>
      <ChartCard
        className="chart-statuses"
        title="Transaction Status Distribution"
        figure={figure(attempts.toLocaleString('en-US'))}
        table={{ heads: ['Status', 'Attempts'], rows: statuses.map(({ name, count }) => [name, String(count)]) }}
      >
        <StatusBars statuses={statuses} />
        {none(attempts === 0)}
      </ChartCard>
    </div>
  );
}
