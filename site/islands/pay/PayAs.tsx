import type { PaymentMethod } from '#shared/contracts/payment';
import { around, type Template } from '#shared/words/bilingual';
import { FieldError } from '../ui/form/Field.tsx';
import type { PayPageFill } from './pay-view.ts';
import { usePayWords } from './words.ts';

type FilledProps<Name extends string> = { phrase: Template<Name>; name: string; text: string; className?: string };

/** A phrase with one placeholder. In the prerendered page, the Worker fills its element. */
export function FilledPhrase<Name extends string>({ phrase, name, text, className }: FilledProps<Name>) {
  const [before, after] = around(phrase);
  return (
    <>
      {before}
      <span className={className} data-fill={name}>
        {text}
      </span>
      {after}
    </>
  );
}

export const ON_FILE_ID = 'pay-onFile';

type Props = {
  texts: PayPageFill;
  type: PaymentMethod;
  isUnticked: boolean;
  readOnly: boolean;
  onTick(): void;
  onChange(): void;
};

/**
 * Offers to use the address on file, which is masked. The payer must confirm that it belongs to their card or bank
 * account.
 */
export function AddressOnFile({ texts, type, isUnticked, readOnly, onTick, onChange }: Props) {
  const { form: words } = usePayWords();
  return (
    <section className="pay-as" data-row="payAs" aria-labelledby="pay-as-name">
      <div>
        <p id="pay-as-name">
          {words.payAs} <b data-fill="payAs">{texts.payAs}</b>
        </p>
        <p className="pay-quiet">
          <FilledPhrase phrase={words.onFile} name="business" text={texts.business} />
          {': '}
          <span data-fill="addressOnFile">{texts.addressOnFile}</span>
        </p>
      </div>
      <button type="button" className="text-button" disabled={readOnly} onClick={onChange}>
        {words.change}
      </button>
      <label className="pay-tick">
        <input
          // The key clears the tick when the payer changes between a card and a bank account.
          key={type}
          type="checkbox"
          id={ON_FILE_ID}
          disabled={readOnly}
          aria-invalid={isUnticked || undefined}
          aria-describedby={isUnticked ? `${ON_FILE_ID}-error` : undefined}
          onChange={onTick}
        />
        {type === 'ach' ? words.isBankAddress : words.isCardAddress}
      </label>
      <FieldError
        id={`${ON_FILE_ID}-error`}
        text={isUnticked ? (type === 'ach' ? words.bankAddressHint : words.cardAddressHint) : undefined}
      />
    </section>
  );
}
