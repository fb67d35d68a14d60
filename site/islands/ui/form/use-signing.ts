import { useEffect, useRef } from 'react';
import Pad from 'signature_pad';
import { INK, PAD_HEIGHT, writeName } from './signature-image.ts';

export type Way = 'draw' | 'type';

type Signing = { mode: Way; name: string; isOpen: boolean; readOnly: boolean; onSigned(): void };

/** Draws strokes or the typed name. The canvas holds device pixels; a resize clears it, so it is drawn again. */
export function useSigning({ mode, name, isOpen, readOnly, onSigned }: Signing) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);

  useEffect(() => {
    const target = canvas.current;
    if (!target || !isOpen) return;
    const drawing = mode === 'draw' ? new Pad(target, { penColor: INK, minWidth: 1.4, maxWidth: 2.8 }) : null;
    pad.current = drawing;
    const fit = () => {
      if (target.clientWidth === 0) return;
      const ratio = Math.max(1, window.devicePixelRatio);
      const strokes = drawing?.toData() ?? [];
      target.width = Math.round(target.clientWidth * ratio);
      target.height = Math.round(PAD_HEIGHT * ratio);
      target.getContext('2d')?.scale(ratio, ratio);
      if (!drawing) return writeName(target, name, ratio);
      drawing.clear();
      drawing.fromData(strokes);
    };
    const watch = new ResizeObserver(fit);
    watch.observe(target);
    drawing?.addEventListener('endStroke', onSigned);
    return () => {
      watch.disconnect();
      drawing?.off();
      pad.current = null;
    };
  }, [mode, name, isOpen, onSigned]);

  useEffect(() => {
    if (readOnly) pad.current?.off();
    else pad.current?.on();
  }, [readOnly]);

  return { canvas, pad };
}
