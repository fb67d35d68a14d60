import { useId } from 'react';
import { defaultTimeframe, type Timeframe, timeframes } from '#shared/contracts/payments/analytics';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { Charts } from './Charts.tsx';
import { Summary } from './Summary.tsx';
import { getAnalytics, getComparison, useFigures } from './use-analytics.ts';
import '#site/styles/areas/merchant/money/analytics.css';
import '#site/styles/areas/merchant/money/figures.css';

const timeframeNames: Record<Timeframe, string> = {
  week: 'Last 7 Days',
  month: 'Last 30 Days',
  year: 'Last 12 Months',
};

/** The income compared with the previous period, and charts of payments by day, method, outcome and hour. */
export function PaymentAnalytics() {
  const id = useId();
  const requested = new URLSearchParams(useSearch()).get('timeframe');
  const timeframe = timeframes.find((known) => known === requested) ?? defaultTimeframe;
  const { latest, isLoading, failure, retry } = useFigures(timeframe, getAnalytics);
  const comparisonFigures = useFigures(timeframe, getComparison);
  const analytics = latest?.value ?? null;
  const shownTimeframe = latest?.timeframe ?? timeframe;
  // A comparison for another timeframe than that of the charts is not shown.
  const comparison = comparisonFigures.latest?.timeframe === shownTimeframe ? comparisonFigures.latest.value : null;
  const isInitial = isLoading && analytics === null;
  const retryAll = () => {
    retry();
    comparisonFigures.retry();
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
          {timeframes.map((option) => (
            <option key={option} value={option}>
              {timeframeNames[option]}
            </option>
          ))}
        </Select>
      </div>
      {failure !== null && (
        <LateBanner
          tone="warn"
          lead="The figures could not be loaded."
          actions={
            <button type="button" className="text-button" onClick={retryAll}>
              Retry
            </button>
          }
        >
          {failure}
        </LateBanner>
      )}
      <Summary
        timeframe={shownTimeframe}
        analytics={analytics}
        comparison={comparison}
        isLoading={isInitial}
        isComparing={comparisonFigures.isLoading}
      />
      <Charts
        timeframe={shownTimeframe}
        analytics={analytics}
        comparison={comparison}
        state={isInitial ? 'initial' : isLoading ? 'loading' : analytics === null ? 'failed' : 'shown'}
        isComparing={comparisonFigures.isLoading}
      />
    </div>
  );
}
