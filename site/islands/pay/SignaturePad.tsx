import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import Pad from 'signature_pad';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { INK, imageOfDrawing, imageOfName, PAD_HEIGHT, writeName } from './signature-image.ts';
import '../../styles/parts/paper.css';

/** Saves what is drawn or typed but not saved yet; null when there is nothing. */
export type SignatureHandle = { take(): string | null };

type Props = { error: string | undefined; readOnly: boolean; onSigned(): void; ref: Ref<SignatureHandle> };

export function SignaturePad({ error, readOnly, onSigned, ref }: Props) {
  const [mode, setMode] = useState<'draw' | 'type'>('draw');
  const [saved, setSaved] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [said, setSaid] = useState('');
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);
  const clearButton = useRef<HTMLButtonElement>(null);

  // The canvas holds device pixels and forgets everything when it is resized.
  useEffect(() => {
    const target = canvas.current;
    if (!target || saved) return;
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
  }, [mode, saved, name, onSigned]);

  useEffect(() => {
    if (readOnly) pad.current?.off();
    else pad.current?.on();
  }, [readOnly]);

  const take = () => {
    if (saved) return saved;
    const target = canvas.current;
    if (!target) return null;
    let image: string | null = null;
    if (mode === 'type' && name.trim()) image = imageOfName(name.trim(), target.clientWidth);
    if (mode === 'draw' && pad.current && !pad.current.isEmpty()) image = imageOfDrawing(target);
    if (image) {
      setSaved(image);
      setSaid('Signature saved');
      onSigned();
    }
    return image;
  };
  useImperativeHandle(ref, () => ({ take }));

  const clear = () => {
    setSaved(null);
    setName('');
    pad.current?.clear();
    setSaid('Signature empty');
  };

  return (
    <fieldset
      className="signature"
      id="pay-signature"
      tabIndex={-1}
      aria-describedby={error ? 'pay-signature-error' : undefined}
    >
      <legend className="label">Signature</legend>
      {!saved && (
        <fieldset className="switch" aria-label="How to sign">
          {(['draw', 'type'] as const).map((way) => (
            <button
              key={way}
              type="button"
              aria-pressed={mode === way}
              disabled={readOnly}
              onClick={() => setMode(way)}
            >
              {way === 'draw' ? 'Draw' : 'Type'}
            </button>
          ))}
        </fieldset>
      )}
      {!saved && mode === 'type' && (
        <Field
          id="pay-typed-name"
          label="Type your full name"
          value={name}
          maxLength={100}
          readOnly={readOnly}
          autoComplete="name"
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <div className={`plate paper signature-plate${error ? ' signature-plate-bad' : ''}`}>
        {saved ? (
          <img src={saved} height={PAD_HEIGHT} alt="Your signature" />
        ) : (
          <canvas
            ref={canvas}
            className={mode === 'draw' ? 'signature-canvas signature-draw' : 'signature-canvas'}
            role="img"
            aria-label={
              mode === 'draw' ? 'Signature pad. To sign without a pointer, choose Type.' : 'Preview of your signature'
            }
          />
        )}
      </div>
      <FieldError id="pay-signature-error" text={error} />
      <div className="signature-actions">
        <Button size="sm" onClick={clear} disabled={readOnly} ref={clearButton}>
          Clear Signature
        </Button>
        {saved ? (
          <Badge tone="ok" icon="check">
            Saved
          </Badge>
        ) : (
          <Button
            size="sm"
            disabled={readOnly}
            // The pressed button goes away: the focus moves to its neighbour.
            onClick={() => take() && clearButton.current?.focus()}
          >
            Save Signature
          </Button>
        )}
      </div>
      <span className="sr-only" role="status">
        {said}
      </span>
    </fieldset>
  );
}
