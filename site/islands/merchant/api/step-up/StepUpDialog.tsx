import { useEffect, useRef, useState } from 'react';
import type { StepUpWay } from '#shared/contracts/staff/proof';
import { PIN_DIGITS } from '#shared/pin-rule';
import { ClinicChoice, CodeField, PinField, useCodeLogin } from '#site/islands/merchant/login/CodeLogin.tsx';
import { type Answer, type Reader, readWith } from '#site/islands/ui/api/parse-response.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import '#site/styles/areas/merchant/account/step-up.css';
import { StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import type { ProofBody } from '#shared/contracts/staff/proof-request';
import { TokenStatus } from '#shared/contracts/staff/session';
import { type ApiClient, sendJson } from '#site/islands/ui/api/api-client.ts';
import { readEmptyBody } from '#site/islands/ui/api/read-nothing.ts';
import { requestPasskey } from '#site/islands/ui/passkey/passkey.ts';

const readOptions = readWith(StaffPasskeyOptions);
const readEmail = readWith(TokenStatus, ({ data }) => data.user);

export type ProofCalls = {
  passkey(): Promise<Answer<true>>;
  pin(pin: string): Promise<Answer<true>>;
  /** Fetches the user's email address. */
  email(): Promise<Answer<string>>;
};

export function createProofCalls(client: ApiClient): ProofCalls {
  const post = <T,>(path: string, read: Reader<T>, body: object) => client.call(path, read, sendJson('POST', body));
  const prove = (body: { kind: 'passkey'; response: object } | Extract<ProofBody, { kind: 'pin' }>) =>
    post('/api/session/proof', readEmptyBody, body);
  return {
    passkey: async () => {
      const options = await post('/api/session/proof/options', readOptions, {});
      if (!options.ok) return options;
      const passkey = await requestPasskey(options.value.options);
      return passkey.ok ? prove({ kind: 'passkey', response: passkey.value }) : passkey;
    },
    pin: (pin) => prove({ kind: 'pin', pin }),
    email: () => client.call('/api/token/status/current', readEmail),
  };
}

/** `colleague` means that the user wants to ask a colleague for approval. */
export type StepUpOutcome = 'proved' | 'colleague' | 'cancelled';

export type StepUpProps = {
  ways: StepUpWay[];
  /** The Worker's message. */
  message: string;
  calls: ProofCalls;
  /** True if a colleague can be asked for approval. */
  hasColleague: boolean;
  /** Called before the login through the CRM leaves the page. */
  onLeave(): void;
  onOutcome(outcome: StepUpOutcome): void;
};

/** Asks users without a passkey or PIN to log in again: by an emailed code in this dialog, or through the CRM. */
export function LogInAgain({ ways, message, calls, hasColleague, onLeave, onOutcome: onEnd }: StepUpProps) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const login = useCodeLogin(() => onEnd('proved'));
  const sendCode = async () => {
    const email = await calls.email();
    setFailure(email.ok ? null : email.error.message);
    if (email.ok) await login.sendCode(email.value);
  };
  const goToCrm = () => {
    onLeave();
    window.location.assign('/oauth/start');
  };
  return (
    <Dialog
      title="Is it still you?"
      confirmLabel={login.step === 'email' ? 'Email me a code' : 'Log in'}
      busy={login.isBusy}
      failure={failure ?? login.failure}
      onConfirm={() => void (login.step === 'email' ? sendCode() : login.submitCode(code))}
      onCancel={() => onEnd('cancelled')}
    >
      {login.step === 'email' && (
        <>
          <p>{message} Your input is kept.</p>
          <p>Tip: a passkey or a PIN, set under Account, User Info, makes this quicker.</p>
          {ways.includes('admin') && !hasColleague && <p>Another administrator can also do it.</p>}
        </>
      )}
      {login.step === 'code' && (
        <>
          <p role="status">A code is on its way to your address.</p>
          <CodeField value={code} onChange={setCode} />
        </>
      )}
      {login.step === 'clinic' && (
        <>
          <p role="status">You work at several clinics. Choose this one.</p>
          <ClinicChoice
            clinics={login.clinics}
            isBusy={login.isBusy}
            onChoose={(clinic) => void login.chooseClinic(clinic)}
          />
        </>
      )}
      <p className="step-up-ways">
        {login.step === 'email' ? (
          <button type="button" className="text-button" onClick={goToCrm}>
            Log in with CRM
          </button>
        ) : (
          <button type="button" className="text-button" onClick={login.restart}>
            New code
          </button>
        )}
        {hasColleague && ways.includes('admin') && (
          <button type="button" className="text-button" onClick={() => onEnd('colleague')}>
            Ask someone else
          </button>
        )}
      </p>
    </Dialog>
  );
}

/** Asks for a passkey or the PIN. Users with neither log in again or ask a colleague. */
export function StepUpDialog(props: StepUpProps) {
  const { ways } = props;
  const [way, setWay] = useState<StepUpWay>(ways[0] ?? 'login');
  if (way === 'passkey' || way === 'pin') return <FactorDialog {...props} way={way} onWayChange={setWay} />;
  return <LogInAgain {...props} />;
}

const alternatives = { passkey: 'pin', pin: 'passkey' } as const;
const labels = { passkey: 'Use my passkey', pin: 'Use my PIN' };

type FactorProps = StepUpProps & { way: 'passkey' | 'pin'; onWayChange(way: StepUpWay): void };

function FactorDialog({ ways, calls, hasColleague, onOutcome: onEnd, way, onWayChange: onWay }: FactorProps) {
  const [pin, setPin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const alternative = alternatives[way];
  useEffect(() => {
    if (way === 'pin') field.current?.focus();
  }, [way]);

  const prove = async (call: () => Promise<Answer<true>>) => {
    setBusy(true);
    setFailure(null);
    const answer = await call();
    setBusy(false);
    if (answer.ok) return onEnd('proved');
    setFailure(answer.error.message);
    setPin('');
    if (way === 'pin') field.current?.focus();
  };
  const confirm = () => {
    if (way === 'passkey') return void prove(calls.passkey);
    if (pin.length === PIN_DIGITS) return void prove(() => calls.pin(pin));
    setFailure(`Please enter the ${PIN_DIGITS} digits of your PIN.`);
    field.current?.focus();
  };
  return (
    <Dialog
      title="Is it still you?"
      confirmLabel={way === 'passkey' ? labels.passkey : 'Confirm'}
      busy={isBusy}
      failure={failure}
      onConfirm={confirm}
      onCancel={() => onEnd('cancelled')}
    >
      <p>Please confirm your identity: you last did so more than 15 minutes ago. Your input is kept.</p>
      {way === 'pin' && <PinField label="Your PIN" value={pin} onChange={setPin} onEnter={confirm} ref={field} />}
      <p className="step-up-ways">
        {ways.includes(alternative) && (
          <button type="button" className="text-button" onClick={() => onWay(alternative)}>
            {labels[alternative]}
          </button>
        )}
        {hasColleague && (
          <button type="button" className="text-button" onClick={() => onEnd('colleague')}>
            Ask someone else
          </button>
        )}
      </p>
    </Dialog>
  );
}
