import { type Ref, useState } from 'react';
import type { ChooseClinic } from '#shared/contracts/staff/team';
import { PIN_DIGITS } from '#shared/pin-rule';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import '#site/styles/parts/form/choices.css';
import { logInByCode, requestCode } from './api.ts';

/** The maximum length of a typed code: its eight digits, and spaces between them. */
const MAX_CODE_LENGTH = 12;

type CodeProps = { value: string; onChange(code: string): void; hint?: string; ref?: Ref<HTMLInputElement> };

export const CodeField = ({ value, onChange, hint, ref }: CodeProps) => (
  <Field
    id="login-code"
    {...(ref && { ref })}
    label="Code"
    hint={hint ?? 'Its eight digits work for ten minutes, in this browser.'}
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={MAX_CODE_LENGTH}
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

/** A PIN field. It is masked because colleagues may be watching, and has no autofill so that no browser saves it. */
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

type ClinicChoiceProps = { clinics: ChooseClinic['clinics']; isBusy: boolean; onChoose(clinic: number): void };

/** Lets users who work at several clinics choose one. */
export const ClinicChoice = ({ clinics, isBusy, onChoose }: ClinicChoiceProps) => (
  <fieldset className="choices" aria-label="Clinics">
    {clinics.map(({ clinic, name }) => (
      <Button key={clinic} wide busy={isBusy} onClick={() => onChoose(clinic)}>
        {name}
      </Button>
    ))}
  </fieldset>
);

export type CodeLogin = {
  /** The next input: the email address, the code, or the clinic if several clinics have the address. */
  step: 'email' | 'code' | 'clinic';
  clinics: ChooseClinic['clinics'];
  isBusy: boolean;
  failure: string | null;
  sendCode(email: string): Promise<void>;
  submitCode(code: string): Promise<void>;
  chooseClinic(clinic: number): Promise<void>;
  /** Returns to the first step, for another address or a new code. */
  restart(): void;
};

/** Runs a login by an emailed code, step by step. */
export function useCodeLogin(onLoggedIn: () => void): CodeLogin {
  const [credentials, setCredentials] = useState({ email: '', code: '' });
  const [step, setStep] = useState<CodeLogin['step']>('email');
  const [clinics, setClinics] = useState<CodeLogin['clinics']>([]);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const startRequest = () => {
    setBusy(true);
    setFailure(null);
  };
  const logIn = async (code: string, clinic?: number) => {
    startRequest();
    const answer = await logInByCode({ email: credentials.email, code, ...(clinic === undefined ? {} : { clinic }) });
    setBusy(false);
    if (!answer.ok) {
      // The code can no longer be used after a clinic was chosen.
      setStep('code');
      return setFailure(answer.error.message);
    }
    if (answer.value === true) return onLoggedIn();
    setCredentials({ ...credentials, code });
    setClinics(answer.value);
    setStep('clinic');
  };
  return {
    step,
    clinics,
    isBusy,
    failure,
    sendCode: async (email) => {
      startRequest();
      const answer = await requestCode(email);
      setBusy(false);
      if (!answer.ok) return setFailure(answer.error.message);
      setCredentials({ email, code: '' });
      setStep('code');
    },
    submitCode: (code) => logIn(code),
    chooseClinic: (clinic) => logIn(credentials.code, clinic),
    restart: () => {
      setFailure(null);
      setStep('email');
    },
  };
}
