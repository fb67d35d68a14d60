import { useState } from 'react';
import type { ChooseClinic } from '#shared/contracts/team';
import { askForCode, logInByCode } from './api.ts';

export type CodeLogin = {
  /** What comes next: where to send a code, the code, or the clinic, where several know the address. */
  step: 'email' | 'code' | 'clinic';
  clinics: ChooseClinic['clinics'];
  isBusy: boolean;
  failure: string | null;
  mail(email: string): Promise<void>;
  enter(code: string): Promise<void>;
  choose(clinic: number): Promise<void>;
  /** Another address, or a new code. */
  restart(): void;
};

/** A login by a code that is mailed. */
export function useCodeLogin(onLoggedIn: () => void): CodeLogin {
  const [asked, setAsked] = useState({ email: '', code: '' });
  const [step, setStep] = useState<CodeLogin['step']>('email');
  const [clinics, setClinics] = useState<CodeLogin['clinics']>([]);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const begin = () => {
    setBusy(true);
    setFailure(null);
  };
  const logIn = async (code: string, clinic?: number) => {
    begin();
    const answer = await logInByCode({ email: asked.email, code, ...(clinic === undefined ? {} : { clinic }) });
    setBusy(false);
    if (!answer.ok) {
      // The code is used up once a clinic was named.
      setStep('code');
      return setFailure(answer.error.message);
    }
    if (answer.value === true) return onLoggedIn();
    setAsked({ ...asked, code });
    setClinics(answer.value);
    setStep('clinic');
  };
  return {
    ...{ step, clinics, isBusy, failure },
    mail: async (email) => {
      begin();
      const answer = await askForCode(email);
      setBusy(false);
      if (!answer.ok) return setFailure(answer.error.message);
      setAsked({ email, code: '' });
      setStep('code');
    },
    enter: (code) => logIn(code),
    choose: (clinic) => logIn(asked.code, clinic),
    restart: () => {
      setFailure(null);
      setStep('email');
    },
  };
}
