import { type KeyboardEvent, useMemo, useState } from 'react';
import type { PaymentAnalytics } from '../../../../shared/contracts/analytics.ts';
import { dollarTicks } from './ticks.ts';
import { type Drawing, usePlot } from './use-plot.ts';
import { dayName, dollars, dollarTick, fullDay, monthName } from './words.ts';

type Days = PaymentAnalytics['dailyPayments'];
type Point = { index: number; left: number; top: number };

/** Least distance between two ticks, px. */
const DAY_SPACE = 64;
const MONTH_SPACE = 40;
const DOLLAR_SPACE = 48;
/** From this many days on, the axis names months instead of days. */
const MONTHS_FROM = 90;

/** Daily dollars as a line. Arrow keys move from day to day, and screen readers hear the day's value. */
export function DailyVolume({ days }: { days: Days }) {
  const [point, setPoint] = useState<Point | null>(null);
  const drawing = useMemo(() => drawingOf(days), [days]);
  const { holder, pointAt } = usePlot(drawing, setPoint);
  const last = days.length - 1;
  const current = Math.min(point?.index ?? last, last);
  const [said, shown] = [days[current], point ? days[point.index] : undefined];

  const onKeyDown = (event: KeyboardEvent) => {
    const to = dayFor(event.key, current, last);
    if (to === null) return;
    event.preventDefault();
    pointAt(to);
  };
  return (
    <div
      className="plot"
      role="slider"
      tabIndex={0}
      aria-label="Payment volume by day"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={said && `${fullDay(said.date)}: ${dollars(said.amount)}`}
      onKeyDown={onKeyDown}
      onFocus={() => point ?? pointAt(last)}
      onBlur={() => pointAt(null)}
    >
      <div className="plot-canvas" ref={holder} />
      {point && shown && (
        <p
          className={point.left > (holder.current?.clientWidth ?? 0) / 2 ? 'plot-tip plot-tip-end' : 'plot-tip'}
          style={{ left: point.left, top: point.top }}
        >
          <span>{fullDay(shown.date)}</span>
          <strong className="money">{dollars(shown.amount)}</strong>
        </p>
      )}
    </div>
  );
}

/** The day that a key moves to; null for other keys. */
function dayFor(key: string, current: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: 7,
    PageDown: -7,
  };
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const step = steps[key];
  return step === undefined ? null : Math.max(0, Math.min(current + step, last));
}

function drawingOf(days: Days): Drawing {
  const amounts = days.map(({ amount }) => amount);
  return {
    data: [days.map((_, index) => index), amounts],
    options({ ink, line, text, ground, font }, width, height) {
      const ticks = dollarTicks(amounts, Math.max(2, Math.floor(height / DOLLAR_SPACE)));
      const axis = { stroke: text, font, ticks: { show: false }, gap: 8 };
      return {
        padding: [8, 24, 0, 0],
        scales: { x: { time: false }, y: { range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] } },
        series: [
          {},
          {
            stroke: ink,
            width: 2,
            // A dot for each day would be noise, but a single day needs one.
            points: { show: days.length === 1 },
          },
        ],
        axes: [
          {
            ...axis,
            size: 32,
            grid: { show: false },
            splits: () => daySplits(days, width),
            values: (_, splits) => splits.map((index) => nameAt(days, index)),
          },
          {
            ...axis,
            size: 58,
            grid: { stroke: line, width: 1 },
            splits: () => ticks,
            values: (_, splits) => splits.map(dollarTick),
          },
        ],
        cursor: {
          x: true,
          y: false,
          drag: { x: false, y: false },
          points: { size: 10, width: 2, stroke: () => ink, fill: () => ground },
        },
      };
    },
  };
}

const nameAt = (days: Days, index: number) => {
  const day = days[index]?.date;
  if (!day) return '';
  return days.length >= MONTHS_FROM ? monthName(day) : dayName(day);
};

/** The labelled days: as many as fit, always with the last one; or the first days of months. */
function daySplits(days: Days, width: number): number[] {
  // Without a tick the plot would drop the room for its labels.
  if (days.length === 0) return [0];
  const indexes = days.map((_, index) => index);
  if (days.length >= MONTHS_FROM) {
    const firsts = indexes.filter((index) => days[index]?.date.endsWith('-01'));
    return everyNth(firsts, Math.ceil(firsts.length / Math.max(1, Math.floor(width / MONTH_SPACE))));
  }
  return everyNth(indexes.reverse(), Math.ceil(days.length / Math.max(1, Math.floor(width / DAY_SPACE)))).reverse();
}

const everyNth = (indexes: number[], n: number) => indexes.filter((_, place) => place % Math.max(1, n) === 0);
