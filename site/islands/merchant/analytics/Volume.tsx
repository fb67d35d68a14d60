import { type KeyboardEvent, useMemo, useState } from 'react';
import { dollarTicks, formatDollarTick } from './axis-ticks.ts';
import { type Bucket, dayName, formatDollars, monthName, type Span } from './figures.ts';
import { type Drawing, usePlot } from './use-plot.ts';

type Props = { buckets: Bucket[]; span: Span };
type Point = { index: number; left: number; top: number };

/** The minimum distance between two ticks (px). */
const MIN_DAY_DISTANCE = 64;
const MIN_MONTH_DISTANCE = 40;
const MIN_DOLLAR_DISTANCE = 48;

/**
 * The net amounts as a line, with the previous period as a dashed line. Arrow keys move between points, and screen
 * readers announce each value.
 */
export function VolumeChart({ buckets, span }: Props) {
  const [point, setPoint] = useState<Point | null>(null);
  const drawing = useMemo(() => createDrawing(buckets, span), [buckets, span]);
  const { holder, pointAt } = usePlot(drawing, setPoint);
  const last = buckets.length - 1;
  const current = Math.min(point?.index ?? last, last);
  const [announced, hovered] = [buckets[current], point ? buckets[point.index] : undefined];

  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOfKey(event.key, current, last);
    if (target === null) return;
    event.preventDefault();
    pointAt(target);
  };
  return (
    <div
      className="plot"
      role="slider"
      tabIndex={0}
      aria-label={`Payment volume by ${span.slice(0, -1)}`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={announced && describeBucket(announced)}
      onKeyDown={onKeyDown}
      onFocus={() => point ?? pointAt(last)}
      onBlur={() => pointAt(null)}
    >
      <div className="plot-canvas" ref={holder} />
      {point && hovered && (
        <p
          className={point.left > (holder.current?.clientWidth ?? 0) / 2 ? 'plot-tip plot-tip-end' : 'plot-tip'}
          style={{ left: point.left, top: point.top }}
        >
          <span>{hovered.name}</span>
          <strong className="money">{formatDollars(hovered.amount)}</strong>
          {hovered.before !== null && <span className="money">before {formatDollars(hovered.before)}</span>}
        </p>
      )}
    </div>
  );
}

const describeBucket = ({ name, amount, before: previousAmount }: Bucket) =>
  `${name}: ${formatDollars(amount)}${previousAmount === null ? '' : `, before ${formatDollars(previousAmount)}`}`;

/** Returns the index of the point that a key moves to, or null for other keys. */
function targetOfKey(key: string, current: number, last: number): number | null {
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

function createDrawing(buckets: Bucket[], span: Span): Drawing {
  const amounts = buckets.map(({ amount }) => amount);
  const previousAmounts = buckets.map((bucket) => bucket.before);
  const last = amounts.length - 1;
  // A solid line to the incomplete current week or month would look like a drop, so that part is dashed.
  const isIncomplete = span !== 'days' && last > 0;
  const emptySeries = amounts.map(() => null);
  return {
    data: [
      buckets.map((_, index) => index),
      isIncomplete ? [...amounts.slice(0, -1), null] : amounts,
      isIncomplete ? [...emptySeries.slice(0, -2), ...amounts.slice(-2)] : emptySeries,
      // The previous period is drawn after the filled area, which would otherwise hide it.
      previousAmounts,
      [...emptySeries.slice(0, -1), ...amounts.slice(-1)],
    ],
    selectableValues: amounts,
    options({ ink, line, text, ground, quiet, wash, font }, width, height) {
      const values = [...amounts, ...previousAmounts.flatMap((amount) => (amount === null ? [] : [amount]))];
      const ticks = dollarTicks(values, Math.max(2, Math.floor(height / MIN_DOLLAR_DISTANCE)));
      const axis = { stroke: text, font, ticks: { show: false }, gap: 8 };
      const points = { show: false };
      const fill = { fill: wash, fillTo: () => 0 };
      return {
        padding: [8, 24, 0, 0],
        scales: {
          x: { time: false, ...(last < 0 && { range: [0, 1] }) },
          y: { range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] },
        },
        series: [
          {},
          { stroke: ink, width: 2, points, ...fill },
          { stroke: ink, width: 2, dash: [4, 4], points, ...fill },
          { stroke: quiet, width: 1.5, dash: [4, 4], points },
          // A ring marks the end of the line. It also makes a single day visible.
          { points: { show: true, size: 9, width: 2, stroke: ink, fill: ground } },
        ],
        axes: [
          {
            ...axis,
            size: 32,
            grid: { show: false },
            splits: () => labeledIndexes(buckets, span, width),
            values: (_, splits) => splits.map((index) => tickLabelAt(buckets, span, index)),
          },
          {
            ...axis,
            size: 58,
            grid: { stroke: line, width: 1 },
            splits: () => ticks,
            values: (_, splits) => splits.map(formatDollarTick),
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

const tickLabelAt = (buckets: Bucket[], span: Span, index: number) => {
  const day = buckets[index]?.first;
  if (!day) return '';
  return span === 'days' ? dayName(day) : monthName(day);
};

/**
 * Returns the indexes of the points to label, as many as fit. The last day is always labeled. Of weeks and months, only
 * those that begin a month are labeled.
 */
function labeledIndexes(buckets: Bucket[], span: Span, width: number): number[] {
  // Without any tick, the plot would remove the space for the labels.
  if (buckets.length === 0) return [0];
  const indexes = buckets.map((_, index) => index);
  const stepFor = (points: number[], distance: number) =>
    Math.ceil(points.length / Math.max(1, Math.floor(width / distance)));
  if (span === 'days') return everyNth(indexes.reverse(), stepFor(indexes, MIN_DAY_DISTANCE)).reverse();
  const monthOf = (index: number) => buckets[index]?.first.slice(0, 7);
  const monthStarts = indexes.filter((index) => index > 0 && monthOf(index) !== monthOf(index - 1));
  return everyNth(monthStarts, stepFor(monthStarts, MIN_MONTH_DISTANCE));
}

const everyNth = (indexes: number[], n: number) => indexes.filter((_, position) => position % Math.max(1, n) === 0);
