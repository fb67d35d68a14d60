import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TakePaymentRequest } from '#shared/contracts/payment';
import { fill } from '#shared/words/bilingual';
import { FieldError } from '../ui/form/Field.tsx';
import { type SignatureHandle, SignaturePad } from '../ui/form/SignaturePad.tsx';
import { imageOfName } from '../ui/form/signature-image.ts';
import type { PayPageFill } from './pay-view.ts';
import { usePayWords } from './words.ts';

export type SignatureInput = Pick<TakePaymentRequest, 'signature' | 'signing'>;
/** `takeSignature` returns the signature, or null if there is none. A ticked signature becomes an image only then. */
export type SigningHandle = { takeSignature(): SignatureInput | null };

type Props = {
  texts: PayPageFill;
  /** The first and last name from the form. A change of the name clears the tick. */
  name: string;
  isUnsigned: boolean;
  readOnly: boolean;
  onSigned(): void;
  ref: Ref<SigningHandle>;
};

const SIGNATURE_ID = 'pay-signature';

/** Lets the payer sign by ticking a sentence with their name. A button offers to draw or type the signature instead. */
export function Signing({ texts, name, isUnsigned, readOnly, onSigned, ref }: Props) {
  const { bill, pad: padWords, sign: words } = usePayWords();
  const sentence = fill(bill.tick, { name });
  const [usesTick, setUsesTick] = useState(texts.tick !== null);
  const [tickedName, setTickedName] = useState('');
  const pad = useRef<SignatureHandle>(null);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const isTicked = name !== '' && tickedName === name;

  /** Changes between the two ways to sign. The button disappears, so the focus moves to the other way. */
  const toggle = () => {
    flushSync(() => setUsesTick(!usesTick));
    document.getElementById(usesTick ? SIGNATURE_ID : `${SIGNATURE_ID}-tick`)?.focus();
  };
  const takeSignature = (): SignatureInput | null => {
    if (usesTick) {
      if (!isTicked) return null;
      const signature = imageOfName(name, fieldset.current?.clientWidth ?? 0);
      return { signature, signing: { kind: 'ticked', words: sentence } };
    }
    const signature = pad.current?.takeImage();
    return signature && pad.current ? { signature, signing: pad.current.method() } : null;
  };
  useImperativeHandle(ref, () => ({ takeSignature }));

  return (
    <>
      {(import.meta.env.SSR || usesTick) && (
        <fieldset
          className="signing"
          id={SIGNATURE_ID}
          tabIndex={-1}
          data-row="tick"
          ref={fieldset}
          aria-describedby={isUnsigned ? `${SIGNATURE_ID}-error` : undefined}
        >
          <legend className="sr-only">{padWords.signature}</legend>
          <p className="signing-name" data-fill="signer">
            {name}
          </p>
          <button type="button" className="text-button" disabled={readOnly} onClick={toggle}>
            {words.otherWay}
          </button>
          <label className="pay-tick">
            <input
              type="checkbox"
              id={`${SIGNATURE_ID}-tick`}
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
          <FieldError id={`${SIGNATURE_ID}-error`} text={isUnsigned ? words.checkboxHint : undefined} />
        </fieldset>
      )}
      {(import.meta.env.SSR || !usesTick) && (
        <div data-row="pad">
          <SignaturePad
            id={SIGNATURE_ID}
            ref={pad}
            words={padWords}
            readOnly={readOnly}
            onSigned={onSigned}
            error={isUnsigned ? words.padHint : undefined}
          />
          {texts.tick !== null && !import.meta.env.SSR && (
            <button type="button" className="text-button" disabled={readOnly} onClick={toggle}>
              {words.checkbox}
            </button>
          )}
        </div>
      )}
    </>
  );
}
