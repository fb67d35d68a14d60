import { useId } from 'react';
import {
  type PaymentAnalytics as Analytics,
  defaultTimeframe,
  type Timeframe,
  timeframes,
} from '#shared/contracts/payments/analytics';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { Charts } from './Charts.tsx';
import { Summary } from './Summary.tsx';
import { getAnalytics, getComparison, useFigures } from './use-analytics.ts';
import '#site/styles/areas/merchant/money/analytics.css';
import '#site/styles/areas/merchant/money/figures.css';

const names: Record<Timeframe, string> = { week: 'Last 7 Days', month: 'Last 30 Days', year: 'Last 12 Months' };
const NOTHING: Analytics = { dailyPayments: [], paymentMethods: {}, transactionStatus: {} };

/** The dashboard's figures and charts: income against the previous period, by day, method, outcome and hour. */
export function PaymentAnalytics() {
  const id = useId();
  const asked = new URLSearchParams(useSearch()).get('timeframe');
  const timeframe = timeframes.find((known) => known === asked) ?? defaultTimeframe;
  const { shown, isLoading, failure, retry } = useFigures(timeframe, getAnalytics);
  const compared = useFigures(timeframe, getComparison);
  const analytics = shown?.value ?? null;
  const of = shown?.of ?? timeframe;
  // Never mix figures of two timeframes.
  const comparison = compared.shown?.of === of ? compared.shown.value : null;
  const isFirst = isLoading && analytics === null;
  const again = () => {
    retry();
    compared.retry();
  };
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
        <LateBanner
          tone="warn"
          lead="The figures could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={again}>
              Retry
            </button>
          }
        >
          {failure}
        </LateBanner>
      )}
      <Summary
        timeframe={of}
        analytics={analytics}
        comparison={comparison}
        isLoading={isFirst}
        isComparing={compared.isLoading}
      />
      <Charts
        timeframe={of}
        analytics={analytics ?? NOTHING}
        comparison={comparison}
        state={isFirst ? 'first' : isLoading ? 'loading' : analytics === null ? 'failed' : 'shown'}
        isComparing={compared.isLoading}
      />
    </div>
  );
}
