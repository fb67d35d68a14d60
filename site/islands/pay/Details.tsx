import { isOptional, type PayView, payFieldLimits, payFields } from '../../../shared/contracts/payment.ts';
import { Field } from '../ui/form/Field.tsx';
import type { AskAddress } from './phase.ts';
import { type TextField, textFields, type useFields } from './use-fields.ts';

const WORDS = {
  head: 'Your details',
  back: 'Use the address on file',
  why: {
    declined: 'Your bank may know your card by another address. Enter the one on your card’s statement.',
    incomplete: 'The address on file is not complete. Enter your card’s billing address.',
  },
};

const autoComplete: Record<TextField, string> = {
  firstName: 'billing given-name',
  lastName: 'billing family-name',
  address: 'billing address-line1',
  address2: 'billing address-line2',
  city: 'billing address-level2',
  state: 'billing address-level1',
  zip: 'billing postal-code',
};

type Props = {
  view: PayView;
  fields: ReturnType<typeof useFields>;
  why: AskAddress;
  readOnly: boolean;
  /** Back to the address on file, where there is one. */
  onBack: (() => void) | null;
};

/** The seven fields. They are in the form from the start: while the address on file is offered, a style closes them. */
export function Details({ view, fields, why, readOnly, onBack }: Props) {
  const known: Partial<Record<TextField, string>> = view.payId ? view.customer : {};
  return (
    <fieldset className="pay-group pay-details">
      <legend>
        <h2>{WORDS.head}</h2>
        {onBack && (
          <button type="button" className="text-button" disabled={readOnly} onClick={onBack}>
            {WORDS.back}
          </button>
        )}
      </legend>
      {why && (
        <p className="pay-quiet" role="status">
          {WORDS.why[why]}
        </p>
      )}
      <div className="pay-fields">
        {textFields.map((name) => (
          <Field
            key={name}
            id={`pay-${name}`}
            name={name}
            label={payFields[name]}
            wrapperClass={`pay-field-${name}`}
            optional={isOptional(name)}
            required={!isOptional(name)}
            error={fields.errors[name]}
            maxLength={payFieldLimits[name]}
            autoComplete={autoComplete[name]}
            defaultValue={known[name]}
            // Any text will do; the list only spares typing.
            list={name === 'state' ? 'pay-states' : undefined}
            readOnly={readOnly}
            onBlur={fields.onBlur}
          />
        ))}
      </div>
    </fieldset>
  );
}
