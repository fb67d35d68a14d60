import type { AnalyticsComparison, PaymentAnalytics } from '#shared/contracts/analytics';
import { clinicZone } from '../parts/clinic-zone.ts';
import { ChartCard } from './ChartCard.tsx';
import { HeatMap, usedHours } from './HeatMap.tsx';
import { busiestOf, DAY_NAMES, hourName } from './summary.ts';

type Props = {
  comparison: AnalyticsComparison | null;
  isComparing: boolean;
  days: PaymentAnalytics['dailyPayments'];
};

/** At which hours of the week people pay. */
export function When({ comparison, isComparing, days }: Props) {
  const counts = comparison?.hours ?? [];
  const used = usedHours(counts);
  const isEmpty = counts.flat().every((count) => count === 0);
  return (
    <ChartCard
      className="chart-when"
      title="When people pay"
      figure={<p className="legend">payments per hour, {clinicZone()}</p>}
      table={{
        heads: ['Hour', ...used.weekdays.map((weekday) => DAY_NAMES[weekday] ?? '')],
        rows: used.hours.map((hour) => [
          hourName(hour),
          ...used.weekdays.map((weekday) => String(counts[weekday]?.[hour] ?? 0)),
        ]),
      }}
    >
      {!comparison && isComparing ? (
        <div className="chart-wait" />
      ) : (
        <>
          <HeatMap counts={counts} used={used} busiest={busiestOf(counts, days)} />
          {isEmpty && (
            <p className="chart-none">
              <span>{comparison ? 'No payments in this time.' : 'Not loaded.'}</span>
            </p>
          )}
        </>
      )}
    </ChartCard>
  );
}
