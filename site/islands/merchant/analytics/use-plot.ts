// This import must precede uPlot, which fails to load if Intl does not know the browser's language.
import './known-language.ts';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { flushSync } from 'react-dom';

/** Returns a number that changes with the page's theme, the system's theme, and between screen and print. */
export function useAppearance(): number {
  const [appearance, countChange] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    // The page must be drawn again at once, since printing does not wait for another frame.
    const onChange = () => flushSync(countChange);
    const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => window.matchMedia(query));
    for (const query of queries) query.addEventListener('change', onChange);
    const observer = new MutationObserver(countChange);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const query of queries) query.removeEventListener('change', onChange);
      observer.disconnect();
    };
  }, []);
  return appearance;
}

/** The colors and the font for the canvas, which cannot use a style sheet. */
export type PlotStyle = Record<'ink' | 'line' | 'text' | 'ground' | 'quiet' | 'wash' | 'font', string>;

export type Drawing = {
  options(style: PlotStyle, width: number, height: number): Partial<uPlot.Options>;
  data: uPlot.AlignedData;
  /** The values that users can select with the pointer. */
  selectableValues: number[];
};

function styleOf(element: HTMLElement): PlotStyle {
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
 * A plot that fills its holder, and is redrawn when its data, its size or the theme changes. `onPoint` receives the
 * point under the pointer (its index, and its distance from the holder's left and top in px), or null.
 */
export function usePlot(
  drawing: Drawing,
  onPoint: (point: { index: number; left: number; top: number } | null) => void = () => undefined,
) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const appearance = useAppearance();
  const reportPoint = useEffectEvent(onPoint);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new appearance needs a redraw in other colors
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    let drawnSize = '';
    const draw = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0 || drawnSize === `${width} ${height}`) return;
      drawnSize = `${width} ${height}`;
      plot.current?.destroy();
      plot.current = new uPlot(
        {
          width,
          height,
          legend: { show: false },
          series: [],
          ...drawing.options(styleOf(element), width, height),
          hooks: { setCursor: [(source) => reportPoint(pointOf(source, drawing))] },
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
  }, [drawing, appearance]);

  /** Selects a value as if with the pointer. Null clears the selection. */
  const selectPoint = (index: number | null) => {
    const { current } = plot;
    if (!current) return;
    if (index === null) return current.setCursor({ left: -10, top: -10 });
    current.setCursor({
      left: current.valToPos(index, 'x'),
      top: current.valToPos(drawing.selectableValues[index] ?? 0, 'y'),
    });
  };
  return { holder, pointAt: selectPoint };
}

function pointOf(plot: uPlot, { selectableValues: values }: Drawing) {
  const index = plot.cursor.idx;
  if (index === null || index === undefined || (plot.cursor.left ?? -1) < 0) return null;
  const ratio = window.devicePixelRatio;
  return {
    index,
    left: plot.bbox.left / ratio + plot.valToPos(index, 'x'),
    top: plot.bbox.top / ratio + plot.valToPos(values[index] ?? 0, 'y'),
  };
}
