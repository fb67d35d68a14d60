import type { Ref } from 'react';
import type { ChooseClinic } from '#shared/contracts/team';
import { PIN_DIGITS } from '#shared/pin-rule';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import '#site/styles/parts/form/choices.css';

/** Digits of a mailed code, and the blanks with which people group them. */
const CODE_LENGTH = 12;

type CodeProps = { value: string; onChange(code: string): void; hint?: string };

export const CodeField = ({ value, onChange, hint }: CodeProps) => (
  <Field
    id="login-code"
    label="Code"
    hint={hint ?? 'Eight digits, from the email. It works for ten minutes, in this browser.'}
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={CODE_LENGTH}
    required
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
);

type PinProps = {
  label: string;
  value: string;
  onChange(pin: string): void;
  onEnter?(): void;
  hint?: string;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A PIN: colleagues may look on, so its digits are hidden, and no browser offers to keep it. */
export const PinField = ({ label, value, onChange, onEnter, ...field }: PinProps) => (
  <Field
    id="pin"
    label={label}
    type="password"
    inputMode="numeric"
    autoComplete="off"
    maxLength={PIN_DIGITS}
    value={value}
    onChange={({ target }) => onChange(target.value.replace(/\D/g, ''))}
    onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
    {...field}
  />
);

type ChoiceProps = { clinics: ChooseClinic['clinics']; isBusy: boolean; onChoose(clinic: number): void };

/** For who works at several clinics. */
export const ClinicChoice = ({ clinics, isBusy, onChoose }: ChoiceProps) => (
  <fieldset className="choices" aria-label="Clinics">
    {clinics.map(({ clinic, name }) => (
      <Button key={clinic} wide busy={isBusy} onClick={() => onChoose(clinic)}>
        {name}
      </Button>
    ))}
  </fieldset>
);
