import { isOptional, type PayView, payFieldLimits } from '#shared/contracts/payment';
import { Field } from '../ui/form/Field.tsx';
import type { AskAddress } from './phase.ts';
import { type TextField, textFields, type useFields } from './use-fields.ts';
import { usePayWords } from './words.ts';

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
  const { form: words, fields: labels } = usePayWords();
  const known: Partial<Record<TextField, string>> = view.payId ? view.customer : {};
  return (
    <fieldset className="pay-group pay-details">
      <legend>
        <h2>{words.details}</h2>
        {onBack && (
          <button type="button" className="text-button" disabled={readOnly} onClick={onBack}>
            {words.useOnFile}
          </button>
        )}
      </legend>
      {why && (
        <p className="pay-quiet" role="status">
          {why === 'declined' ? words.otherAddress : words.incompleteAddress}
        </p>
      )}
      <div className="pay-fields">
        {textFields.map((name) => (
          <Field
            key={name}
            id={`pay-${name}`}
            name={name}
            label={labels[name]}
            wrapperClass={`pay-field-${name}`}
            optional={isOptional(name) && words.optional}
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
