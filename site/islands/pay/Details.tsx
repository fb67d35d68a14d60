import { type RefObject, useState } from 'react';
import {
  isMissing,
  isOptional,
  type PayField,
  type PayView,
  payFieldLimits,
  payFields,
} from '#shared/contracts/payment';
import type { PayPageWords } from '#shared/words/pay-words';
import { Field } from '../ui/form/Field.tsx';
import type { AddressRequest } from './phase.ts';
import { usePayWords } from './words.ts';

export type TextField = Exclude<PayField, 'signature'>;
export type FieldValues = Record<TextField, string>;

export const textFields = (Object.keys(payFields) as PayField[]).filter(
  (name): name is TextField => name !== 'signature',
);

/**
 * Validates the text fields on submit, and after that while the payer types. Validation on blur could remove an error
 * and so move the button under the payer's pointer. The inputs are uncontrolled, so that text typed before the script
 * ran is not lost.
 */
export function useFields(form: RefObject<HTMLFormElement | null>, words: PayPageWords['empty']) {
  const errorOf = (name: TextField, value: string) => (isMissing(name, value) ? words[name] : undefined);
  const [errors, setErrors] = useState<Partial<FieldValues> | null>(null);

  /** Validates `checkedFields`, and returns the values of all fields and the names of the missing ones. */
  const validate = (checkedFields: readonly TextField[] = textFields) => {
    const data = form.current ? new FormData(form.current) : null;
    const values = Object.fromEntries(
      textFields.map((name) => [name, String(data?.get(name) ?? '').trim()]),
    ) as FieldValues;
    const invalid: Partial<FieldValues> = {};
    for (const name of checkedFields) {
      const error = errorOf(name, values[name]);
      if (error) invalid[name] = error;
    }
    setErrors(invalid);
    return { values, missing: textFields.filter((name) => invalid[name]) };
  };
  const onInput = ({ currentTarget: { name, value } }: { currentTarget: HTMLInputElement }) => {
    const error = errorOf(name as TextField, value);
    setErrors((previous) => previous && { ...previous, [name]: error });
  };
  return { errors: errors ?? {}, check: validate, onInput };
}

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
  reason: AddressRequest;
  readOnly: boolean;
  /** Returns to the address on file. Null if that is not possible. */
  onBack: (() => void) | null;
};

/** The name and address fields. They are always in the form. CSS collapses them if the address on file is offered. */
export function PayerFields({ view, fields, reason, readOnly, onBack }: Props) {
  const { form: words, fields: labels } = usePayWords();
  const prefilled: Partial<Record<TextField, string>> = import.meta.env.SSR ? {} : view.customer;
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
      {reason && (
        <p className="pay-quiet" role="status">
          {reason === 'declined' ? words.otherAddress : words.incompleteAddress}
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
            defaultValue={prefilled[name]}
            // The list only suggests values. Any text is accepted.
            list={name === 'state' ? 'pay-states' : undefined}
            readOnly={readOnly}
            onInput={fields.onInput}
          />
        ))}
      </div>
    </fieldset>
  );
}
