import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { Badge } from '../Badge.tsx';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { FieldError } from './FieldError.tsx';
import { imageOfDrawing, imageOfName, PAD_HEIGHT } from './signature-image.ts';
import { useSigning, type Way } from './use-signing.ts';
import '../../../styles/parts/page/paper.css';
import '../../../styles/parts/form/signature.css';
import '../../../styles/parts/form/switch.css';

/** `take` returns the drawn or typed signature as an image, saved or not; null when there is none. `act`: how it was made. */
export type SignatureHandle = { take(): string | null; act(): { kind: 'typed' | 'drawn'; words: string } };

type Props = {
  id: string;
  /** Labels of the buttons while the pad is empty. */
  words?: [clear: string, save: string];
  /** The way that is open first. */
  first?: Way;
  /** The image of an earlier signature. */
  kept?: string | null;
  error: string | undefined;
  readOnly: boolean;
  onSigned(): void;
  onCleared?(): void;
  ref: Ref<SignatureHandle>;
};

const CLEAR = 'Clear Signature';

export function SignaturePad(props: Props) {
  const {
    id,
    words = [CLEAR, 'Save Signature'],
    first = 'draw',
    kept = null,
    error,
    readOnly,
    onSigned,
    onCleared,
    ref,
  } = props;
  const [mode, setMode] = useState(first);
  const [saved, setSaved] = useState(kept);
  const [name, setName] = useState('');
  const [said, setSaid] = useState('');
  const clearButton = useRef<HTMLButtonElement>(null);
  const { canvas, pad } = useSigning({ mode, name, isOpen: !saved, readOnly, onSigned });

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
  const act = () =>
    mode === 'type' ? { kind: 'typed' as const, words: name.trim() } : { kind: 'drawn' as const, words: '' };
  useImperativeHandle(ref, () => ({ take, act }));

  const clear = () => {
    setSaved(null);
    setName('');
    pad.current?.clear();
    setSaid('Signature empty');
    onCleared?.();
  };

  return (
    <fieldset className="signature" id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined}>
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
          id={`${id}-name`}
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
      <FieldError id={`${id}-error`} text={error} />
      <div className="signature-actions">
        <Button size="sm" onClick={clear} disabled={readOnly} ref={clearButton}>
          {saved ? CLEAR : words[0]}
        </Button>
        {saved ? (
          <Badge tone="ok" icon="check">
            Saved
          </Badge>
        ) : (
          <Button
            size="sm"
            disabled={readOnly}
            // The pressed button disappears, so the focus moves to its neighbour.
            onClick={() => take() && clearButton.current?.focus()}
          >
            {words[1]}
          </Button>
        )}
      </div>
      <span className="sr-only" role="status">
        {said}
      </span>
    </fieldset>
  );
}
