// Must precede uPlot, which fails to load if Intl does not know the browser's language.
import './known-language.ts';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { flushSync } from 'react-dom';

/** A number that changes with the page's look: a new theme (by choice or by the system), or print. */
export function useLook(): number {
  const [look, change] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    // Printing does not wait for another frame.
    const onChange = () => flushSync(change);
    const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => window.matchMedia(query));
    for (const query of queries) query.addEventListener('change', onChange);
    const observer = new MutationObserver(change);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const query of queries) query.removeEventListener('change', onChange);
      observer.disconnect();
    };
  }, []);
  return look;
}

/** Colours and font for the canvas, which cannot use a style sheet. */
export type Look = Record<'ink' | 'line' | 'text' | 'ground' | 'quiet' | 'wash' | 'font', string>;

export type Drawing = {
  options(look: Look, width: number, height: number): Partial<uPlot.Options>;
  data: uPlot.AlignedData;
  /** The series that the pointer selects from. */
  of: number[];
};

function lookOf(element: HTMLElement): Look {
  const { color, borderTopColor, caretColor, backgroundColor, textDecorationColor, outlineColor, fontFamily } =
    getComputedStyle(element);
  return {
    ink: color,
    line: borderTopColor,
    text: caretColor,
    ground: backgroundColor,
    quiet: textDecorationColor,
    wash: outlineColor,
    font: `13px ${fontFamily}`,
  };
}

/**
 * A plot that fills its holder, drawn again when its data, its size or the theme changes. `onPoint` gets the point
 * under the pointer (index, distance from the holder's left and top in px), or null.
 */
export function usePlot(
  drawing: Drawing,
  onPoint: (point: { index: number; left: number; top: number } | null) => void = () => undefined,
) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const look = useLook();
  const point = useEffectEvent(onPoint);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new look needs a redraw in other colours
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    let drawn = '';
    const draw = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0 || drawn === `${width} ${height}`) return;
      drawn = `${width} ${height}`;
      plot.current?.destroy();
      plot.current = new uPlot(
        {
          width,
          height,
          legend: { show: false },
          series: [],
          ...drawing.options(lookOf(element), width, height),
          hooks: { setCursor: [(at) => point(pointOf(at, drawing))] },
        },
        drawing.data,
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [drawing, look]);

  /** Selects a value, as the mouse does; null deselects. */
  const pointAt = (index: number | null) => {
    const at = plot.current;
    if (!at) return;
    if (index === null) return at.setCursor({ left: -10, top: -10 });
    at.setCursor({ left: at.valToPos(index, 'x'), top: at.valToPos(drawing.of[index] ?? 0, 'y') });
  };
  return { holder, pointAt };
}

function pointOf(plot: uPlot, { of }: Drawing) {
  const index = plot.cursor.idx;
  if (index === null || index === undefined || (plot.cursor.left ?? -1) < 0) return null;
  const ratio = window.devicePixelRatio;
  return {
    index,
    left: plot.bbox.left / ratio + plot.valToPos(index, 'x'),
    top: plot.bbox.top / ratio + plot.valToPos(of[index] ?? 0, 'y'),
  };
}

/** Ticks from `low` to `high` (both included) whose step is 1, 2 or 5 times a power of ten, at most `most` steps. */
export function niceTicks(low: number, high: number, most: number): number[] {
  const step = niceStep((high - low) / most);
  const ticks: number[] = [];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // 0.1 has no exact float: 3 steps of it would give 0.30000000000000004.
  for (let at = first; at <= last; at++) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= atLeast * (1 - 1e-9)) ?? 10 * power;
}

/** Whole numbers from 0 to two above the highest count: every one if they fit, or every second, fifth, tenth … */
export function countTicks(highest: number, most: number): number[] {
  const top = highest + 2;
  const step = niceStep(Math.max(1, top / most));
  const ticks: number[] = [];
  for (let at = 0; at <= top; at += step) ticks.push(at);
  return ticks;
}

/** Range of the daily dollars: from zero, and below it only if a day's refunds exceed its payments. */
export function dollarTicks(amounts: number[], most: number): number[] {
  const high = Math.max(0, ...amounts);
  const low = Math.min(0, ...amounts);
  return high === low ? [0, 25, 50, 75, 100] : niceTicks(low, high, most);
}
