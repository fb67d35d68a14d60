// Before uPlot, which does not load in a language that Intl does not know.
import './known-language.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLook } from './use-look.ts';

/** Colours and font that a canvas cannot take from a style sheet. */
export type Look = Record<'ink' | 'line' | 'text' | 'ground' | 'quiet' | 'wash' | 'font', string>;

export type Drawing = {
  options(look: Look, width: number, height: number): Partial<uPlot.Options>;
  data: uPlot.AlignedData;
  /** The values that are pointed at. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: another look of the page is drawn with other colours
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

  /** Selects a value, as the mouse does; null: none. */
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
