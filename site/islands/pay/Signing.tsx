import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TakePaymentRequest } from '#shared/contracts/payment';
import { fill } from '#shared/words/both';
import { FieldError } from '../ui/form/Field.tsx';
import { type SignatureHandle, SignaturePad, type Way } from '../ui/form/SignaturePad.tsx';
import { imageOfName } from '../ui/form/signature-image.ts';
import type { PayPageFill } from './pay-view.ts';
import { usePayWords } from './words.ts';

export type Signed = Pick<TakePaymentRequest, 'signature' | 'signing'>;
/** Null: not signed. A tick becomes an image only when it is taken. */
export type SigningHandle = { take(): Signed | null };

type Props = {
  texts: PayPageFill;
  /** First and last name from the form. A tick applies to this name only and is cleared when it changes. */
  name: string;
  isUnsigned: boolean;
  readOnly: boolean;
  onSigned(): void;
  ref: Ref<SigningHandle>;
};

const ID = 'pay-signature';

/** Signing by one act: a tick beside a sentence with the payer's name, a typed name, or a drawing. */
export function Signing({ texts, name, isUnsigned, readOnly, onSigned, ref }: Props) {
  const { bill, pad: padWords, sign: words } = usePayWords();
  const sentence = fill(bill.tick, { name });
  const isBuilt = texts.tick !== null && texts.pad !== null;
  const [way, setWay] = useState<'tick' | Way>(texts.tick === null ? 'draw' : 'tick');
  const [tickedName, setTickedName] = useState('');
  const pad = useRef<SignatureHandle>(null);
  const part = useRef<HTMLFieldSetElement>(null);
  const isTicked = name !== '' && tickedName === name;

  /** The pressed button disappears, so the focus moves to its replacement. */
  const goTo = (next: 'tick' | Way, id: string) => {
    flushSync(() => setWay(next));
    document.getElementById(id)?.focus();
  };
  const take = (): Signed | null => {
    if (way === 'tick') {
      if (!isTicked) return null;
      const signature = imageOfName(name, part.current?.clientWidth ?? 0);
      return { signature, signing: { kind: 'ticked', words: sentence } };
    }
    const signature = pad.current?.take();
    return signature && pad.current ? { signature, signing: pad.current.act() } : null;
  };
  useImperativeHandle(ref, () => ({ take }));

  return (
    <>
      {(isBuilt || way === 'tick') && (
        <fieldset
          className="signing"
          id={ID}
          tabIndex={-1}
          data-row="tick"
          ref={part}
          aria-describedby={isUnsigned ? `${ID}-error` : undefined}
        >
          <legend className="sr-only">{padWords.signature}</legend>
          <p className="signing-name" data-fill="signer">
            {name}
          </p>
          <fieldset className="switch" aria-label={words.others}>
            {(['type', 'draw'] as const).map((other) => (
              <button
                key={other}
                type="button"
                disabled={readOnly}
                onClick={() => goTo(other, other === 'type' ? `${ID}-name` : ID)}
              >
                {padWords[other]}
              </button>
            ))}
          </fieldset>
          <label className="pay-tick">
            <input
              type="checkbox"
              id={`${ID}-tick`}
              checked={isTicked}
              disabled={readOnly}
              aria-invalid={isUnsigned || undefined}
              onChange={(event) => {
                setTickedName(event.target.checked ? name : '');
                onSigned();
              }}
            />
            <span data-fill="tick">{sentence}</span>
          </label>
          <FieldError id={`${ID}-error`} text={isUnsigned ? words.unticked : undefined} />
        </fieldset>
      )}
      {(isBuilt || way !== 'tick') && (
        <div data-row="pad">
          <SignaturePad
            key={way}
            id={ID}
            ref={pad}
            words={padWords}
            first={way === 'type' ? 'type' : 'draw'}
            readOnly={readOnly}
            onSigned={onSigned}
            error={isUnsigned ? words.unsigned : undefined}
          />
          {texts.tick !== null && !isBuilt && (
            <button
              type="button"
              className="text-button"
              disabled={readOnly}
              onClick={() => goTo('tick', `${ID}-tick`)}
            >
              {words.tick}
            </button>
          )}
        </div>
      )}
    </>
  );
}
