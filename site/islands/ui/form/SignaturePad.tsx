import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { WordsOf } from '#shared/words/bilingual';
import type { padWords } from '#shared/words/sign-words';
import { Badge } from '../Badge.tsx';
import { Button } from './Button.tsx';
import { Field, FieldError } from './Field.tsx';
import { drawName, INK_COLOR, imageOfDrawing, imageOfName, PAD_HEIGHT } from './signature-image.ts';
import '#site/styles/parts/page/paper.css';
import '#site/styles/parts/form/signature.css';
import '#site/styles/parts/form/switch.css';
import Pad from 'signature_pad';

type Mode = 'draw' | 'type';

type SigningOptions = { mode: Mode; name: string; isOpen: boolean; readOnly: boolean; onSigned(): void };

/** Draws strokes or the typed name. The canvas uses device pixels. Resizing clears it, so it is drawn again. */
export function useSigning({ mode, name, isOpen, readOnly, onSigned }: SigningOptions) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(null);

  useEffect(() => {
    const target = canvas.current;
    if (!target || !isOpen) return;
    const drawing = mode === 'draw' ? new Pad(target, { penColor: INK_COLOR, minWidth: 1.4, maxWidth: 2.8 }) : null;
    pad.current = drawing;
    const resize = () => {
      if (target.clientWidth === 0) return;
      const ratio = Math.max(1, window.devicePixelRatio);
      const strokes = drawing?.toData() ?? [];
      target.width = Math.round(target.clientWidth * ratio);
      target.height = Math.round(PAD_HEIGHT * ratio);
      target.getContext('2d')?.scale(ratio, ratio);
      if (!drawing) return drawName(target, name, ratio);
      drawing.clear();
      drawing.fromData(strokes);
    };
    const observer = new ResizeObserver(resize);
    observer.observe(target);
    drawing?.addEventListener('endStroke', onSigned);
    return () => {
      observer.disconnect();
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

/**
 * `takeImage` returns the drawn or typed signature as an image, even if the user has not saved it. Null if there is
 * none. `method` returns whether it was typed or drawn, and the typed name.
 */
export type SignatureHandle = { takeImage(): string | null; method(): { kind: 'typed' | 'drawn'; words: string } };

type Props = {
  id: string;
  words: WordsOf<typeof padWords>;
  /** The button labels for an empty pad, if they differ from those in `words`. */
  buttons?: [clear: string, save: string];
  /** The image of an earlier signature. */
  savedImage?: string | null;
  error: string | undefined;
  readOnly: boolean;
  onSigned(): void;
  onCleared?(): void;
  ref: Ref<SignatureHandle>;
};

export function SignaturePad(props: Props) {
  const {
    id,
    words,
    buttons: [clearLabel, saveLabel] = [words.clear, words.save],
    savedImage = null,
    error,
    readOnly,
    onSigned,
    onCleared,
    ref,
  } = props;
  const [mode, setMode] = useState<Mode>('draw');
  const [saved, setSaved] = useState(savedImage);
  const [name, setName] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const clearButton = useRef<HTMLButtonElement>(null);
  const { canvas, pad } = useSigning({ mode, name, isOpen: !saved, readOnly, onSigned });

  const takeImage = () => {
    if (saved) return saved;
    const target = canvas.current;
    if (!target) return null;
    let image: string | null = null;
    if (mode === 'type' && name.trim()) image = imageOfName(name.trim(), target.clientWidth);
    if (mode === 'draw' && pad.current && !pad.current.isEmpty()) image = imageOfDrawing(target);
    if (image) {
      setSaved(image);
      setAnnouncement(words.signatureSaved);
      onSigned();
    }
    return image;
  };
  const method = () =>
    mode === 'type' ? { kind: 'typed' as const, words: name.trim() } : { kind: 'drawn' as const, words: '' };
  useImperativeHandle(ref, () => ({ takeImage, method }));

  const clear = () => {
    setSaved(null);
    setName('');
    pad.current?.clear();
    setAnnouncement(words.empty);
    onCleared?.();
  };

  return (
    <fieldset className="signature" id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="label">{words.signature}</legend>
      {!saved && (
        <fieldset className="switch" aria-label={words.methods}>
          {(['draw', 'type'] as const).map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={mode === option}
              disabled={readOnly}
              onClick={() => setMode(option)}
            >
              {words[option]}
            </button>
          ))}
        </fieldset>
      )}
      {!saved && mode === 'type' && (
        <Field
          id={`${id}-name`}
          label={words.fullName}
          value={name}
          maxLength={100}
          readOnly={readOnly}
          autoComplete="name"
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <div className={`plate paper signature-plate${error ? ' signature-plate-bad' : ''}`}>
        {saved ? (
          <img src={saved} height={PAD_HEIGHT} alt={words.yourSignature} />
        ) : (
          <canvas
            ref={canvas}
            className={mode === 'draw' ? 'signature-canvas signature-draw' : 'signature-canvas'}
            role="img"
            aria-label={mode === 'draw' ? words.pad : words.preview}
          />
        )}
      </div>
      <FieldError id={`${id}-error`} text={error} />
      <div className="signature-actions">
        <Button size="sm" onClick={clear} disabled={readOnly} ref={clearButton}>
          {saved ? words.clear : clearLabel}
        </Button>
        {saved ? (
          <Badge tone="ok" icon="check">
            {words.saved}
          </Badge>
        ) : (
          <Button
            size="sm"
            disabled={readOnly}
            // This button disappears when it is clicked, so the focus moves to the one beside it.
            onClick={() => takeImage() && clearButton.current?.focus()}
          >
            {saveLabel}
          </Button>
        )}
      </div>
      <span className="sr-only" role="status">
        {announcement}
      </span>
    </fieldset>
  );
}
