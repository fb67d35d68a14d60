// This import must precede uPlot, which fails to load if Intl does not know the browser's language.
import './known-language.ts';
import { type CSSProperties, useMemo, useState } from 'react';
import uPlot from 'uplot';
import { countTicks } from './axis-ticks.ts';
import { type Count, DECLINED } from './figures.ts';
import { type Drawing, usePlot } from './use-plot.ts';

/** The width of a bar (px). */
const BAR_WIDTH = 40;
/** The minimum distance between two counts on the axis (px). */
const MIN_COUNT_DISTANCE = 20;
/** The width of the axis (px). In analytics.css, the labels below the bars start after it. */
const AXIS_WIDTH = 44;

/** Attempts by outcome. Screen readers read the list of labels. On a phone, the list items replace the bars. */
export function StatusBars({ statuses }: { statuses: Count[] }) {
  const [hovered, setHovered] = useState<number | null>(null);
  const max = Math.max(1, ...statuses.map(({ count }) => count));
  const drawing = useMemo(() => createDrawing(statuses), [statuses]);
  const { holder } = usePlot(drawing, (point) => setHovered(point?.index ?? null));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="bars" aria-label="Attempts by outcome" tabIndex={0}>
      <div className="bars-inner" style={{ '--bars': statuses.length } as CSSProperties}>
        <div className="plot-canvas" ref={holder} />
        <ul className="bars-names">
          {statuses.map(({ name, count }, index) => (
            <li
              key={name}
              className={hovered === index ? 'bars-pointed' : undefined}
              style={{ '--share': count / max } as CSSProperties}
            >
              <strong>{count.toLocaleString('en-US')}</strong> <span>{name}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function createDrawing(statuses: Count[]): Drawing {
  const counts = statuses.map(({ count }) => count);
  const highest = Math.max(0, ...counts);
  const countsWhere = (isDeclined: boolean) =>
    statuses.map(({ name, count }) => ((name === DECLINED) === isDeclined ? count : null));
  return {
    data: [counts.map((_, index) => index), countsWhere(false), countsWhere(true)],
    selectableValues: counts,
    options({ ink, line, text, quiet, font }, _width, height) {
      const ticks = countTicks(highest, Math.max(2, Math.floor(height / MIN_COUNT_DISTANCE)));
      return {
        padding: [8, 0, 8, 0],
        scales: { x: { time: false, range: [-0.5, Math.max(1, counts.length) - 0.5] }, y: { range: [0, highest + 2] } },
        series: [{}, ...[ink, quiet].map(barSeries)],
        axes: [
          { show: false },
          {
            stroke: text,
            font,
            size: AXIS_WIDTH,
            gap: 8,
            ticks: { show: false },
            grid: { stroke: line, width: 1 },
            splits: () => ticks,
            values: (_, splits) => splits.map((count) => count.toLocaleString('en-US')),
          },
        ],
        cursor: { x: false, y: false, drag: { x: false, y: false }, points: { show: false } },
      };
    },
  };
}

const barSeries = (color: string): uPlot.Series => ({
  stroke: color,
  fill: color,
  width: 0,
  paths: uPlot.paths.bars?.({ size: [1, BAR_WIDTH, BAR_WIDTH], radius: [0.1, 0] }),
  points: { show: false },
});
