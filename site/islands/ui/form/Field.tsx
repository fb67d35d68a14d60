import type { InputHTMLAttributes, Ref } from 'react';
import '#site/styles/parts/form/field.css';
import { Icon } from '../Icon.tsx';

export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <span className="field-error" id={id}>
      <Icon name="alert" size="sm" />
      {text}
    </span>
  );
}

type Props = InputHTMLAttributes<HTMLInputElement> & {
  id: string;
  label: string;
  /** The text after the label of an optional field, such as "(optional)". */
  optional?: string | false;
  hint?: string;
  error?: string | undefined;
  wrapperClass?: string;
  ref?: Ref<HTMLInputElement>;
};

export function Field({ id, label, optional, hint, error, wrapperClass, ...input }: Props) {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={wrapperClass ? `field ${wrapperClass}` : 'field'}>
      <label className="label" htmlFor={id}>
        {label}
        {optional && <span className="label-note"> {optional}</span>}
      </label>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
