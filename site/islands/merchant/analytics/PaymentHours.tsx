import type { AnalyticsComparison, PaymentAnalytics } from '#shared/contracts/payments/analytics';
import { clinicZone } from '../common/clinic-time.ts';
import { ChartCard } from './ChartCard.tsx';
import { type BusiestHour, busiestHourOf, DAY_NAMES, hourName } from './figures.ts';

/** The weekdays in the order of the rows. Sunday is shown only if it has payments. */
const WEEKDAY_ORDER = [1, 2, 3, 4, 5, 6, 0];
/** The number of labels that fit above the map on a phone. */
const MAX_PHONE_LABELS = 4;
/** A wide screen labels every column if there are at most this many. */
const MAX_LABELED_COLUMNS = 12;

export type ShownHours = { weekdays: number[]; hours: number[] };

/** Returns the weekdays and hours to show: from the first to the last hour with payments, or 8 to 18 without any. */
export function shownHoursOf(counts: number[][]): ShownHours {
  const activeHours = counts.flatMap((day) => day.flatMap((count, hour) => (count > 0 ? [hour] : [])));
  const [from, to] = activeHours.length === 0 ? [8, 18] : [Math.min(...activeHours), Math.max(...activeHours)];
  return {
    weekdays: WEEKDAY_ORDER.filter((weekday) => weekday !== 0 || counts[0]?.some((count) => count > 0)),
    hours: Array.from({ length: to - from + 1 }, (_, n) => from + n),
  };
}

/** True if this column starts a label that spans `step` columns. */
const isLabeled = (index: number, step: number, columns: number): boolean =>
  index % step === 0 && index + step <= columns;

/** A heat map of payments by weekday and hour, with the busiest hour outlined. */
export function HeatMap({
  counts,
  shownHours,
  busiest,
}: {
  counts: number[][];
  shownHours: ShownHours;
  busiest: BusiestHour | null;
}) {
  const { weekdays, hours } = shownHours;
  const max = Math.max(1, ...counts.flat());
  const columns = hours.length;
  const [narrowStep, wideStep] = [Math.ceil(columns / MAX_PHONE_LABELS), columns <= MAX_LABELED_COLUMNS ? 1 : 3];
  return (
    <div
      className="heat"
      aria-hidden="true"
      style={{ gridTemplateColumns: `2.25rem repeat(${columns}, minmax(0, 1fr))` }}
    >
      <span />
      {hours.map((hour, index) => (
        <span key={hour} className="heat-hour">
          {isLabeled(index, narrowStep, columns) && <span className="heat-narrow">{hourName(hour)}</span>}
          {isLabeled(index, wideStep, columns) && <span className="heat-wide">{hourName(hour)}</span>}
        </span>
      ))}
      {weekdays.map((weekday) => [
        <span key={weekday} className="heat-day">
          {DAY_NAMES[weekday]?.slice(0, 3)}
        </span>,
        ...hours.map((hour) => {
          const count = counts[weekday]?.[hour] ?? 0;
          const isBusiest = busiest?.weekday === weekday && busiest.hour === hour;
          return (
            <span
              key={`${weekday} ${hour}`}
              className={isBusiest ? 'heat-cell heat-most' : 'heat-cell'}
              style={{ '--share': `${Math.round((100 * count) / max)}%` } as React.CSSProperties}
              title={`${DAY_NAMES[weekday]}, ${hourName(hour)}: ${count}`}
            />
          );
        }),
      ])}
    </div>
  );
}

type Props = {
  comparison: AnalyticsComparison | null;
  isComparing: boolean;
  days: PaymentAnalytics['dailyPayments'];
};

/** Shows when payments are made, by weekday and hour. */
export function PaymentHours({ comparison, isComparing, days }: Props) {
  const counts = comparison?.hours ?? [];
  const shownHours = shownHoursOf(counts);
  return (
    <ChartCard
      className="chart-when"
      title="When people pay"
      figure={<p className="legend">payments per hour, {clinicZone()}</p>}
      table={{
        headers: ['Hour', ...shownHours.weekdays.map((weekday) => DAY_NAMES[weekday] ?? '')],
        rows: shownHours.hours.map((hour) => [
          hourName(hour),
          ...shownHours.weekdays.map((weekday) => String(counts[weekday]?.[hour] ?? 0)),
        ]),
      }}
      state={comparison ? 'shown' : isComparing ? 'initial' : 'failed'}
      isEmpty={counts.flat().every((count) => count === 0)}
    >
      <HeatMap counts={counts} shownHours={shownHours} busiest={busiestHourOf(counts, days)} />
    </ChartCard>
  );
}
