import type { PaymentMethod } from '#shared/contracts/payment';
import { around, type Template } from '#shared/words/both';
import { FieldError } from '../ui/form/Field.tsx';
import type { PayPageFill } from './pay-view.ts';
import { usePayWords } from './words.ts';

type FilledProps<Name extends string> = { phrase: Template<Name>; name: string; text: string; className?: string };

/** A phrase whose one placeholder is an element, which the Worker fills in the built page. */
export function Filled<Name extends string>({ phrase, name, text, className }: FilledProps<Name>) {
  const [before, behind] = around(phrase);
  return (
    <>
      {before}
      <span className={className} data-fill={name}>
        {text}
      </span>
      {behind}
    </>
  );
}

export const ON_FILE_ID = 'pay-onFile';

type Props = {
  texts: PayPageFill;
  type: PaymentMethod;
  isUntold: boolean;
  readOnly: boolean;
  onTick(): void;
  onChange(): void;
};

/**
 * Offers to pay with the address on file, which is shown masked. It is used only if the payer confirms that it is that of
 * their card or bank account.
 */
export function PayAs({ texts, type, isUntold, readOnly, onTick, onChange }: Props) {
  const { form: words } = usePayWords();
  return (
    <section className="pay-as" data-row="payAs" aria-labelledby="pay-as-name">
      <div>
        <p id="pay-as-name">
          {words.payAs} <b data-fill="payAs">{texts.payAs}</b>
        </p>
        <p className="pay-quiet">
          <Filled phrase={words.onFile} name="business" text={texts.business} />
          {': '}
          <span data-fill="addressOnFile">{texts.addressOnFile}</span>
        </p>
      </div>
      <button type="button" className="text-button" disabled={readOnly} onClick={onChange}>
        {words.change}
      </button>
      <label className="pay-tick">
        <input
          // A tick is about one of the two.
          key={type}
          type="checkbox"
          id={ON_FILE_ID}
          disabled={readOnly}
          aria-invalid={isUntold || undefined}
          aria-describedby={isUntold ? `${ON_FILE_ID}-error` : undefined}
          onChange={onTick}
        />
        {type === 'ach' ? words.isMyBank : words.isMine}
      </label>
      <FieldError
        id={`${ON_FILE_ID}-error`}
        text={isUntold ? (type === 'ach' ? words.untoldBank : words.untold) : undefined}
      />
    </section>
  );
}
