import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { logInByPasskey } from './api.ts';
import { ClinicChoice, CodeField, type CodeLogin, useCodeLogin } from './CodeLogin.tsx';

const openApp = () => window.location.assign('/');

/** The login methods without the CRM. The page shows them at once, and they work once the script has loaded. */
export function LoginWays() {
  const [isReady, setReady] = useState(false);
  const [isCodeLogin, setCodeLogin] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const login = useCodeLogin(openApp);
  const banner = useRef<HTMLDivElement>(null);
  const message = failure ?? login.failure;
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (message) banner.current?.focus();
  }, [message]);

  const logInWithPasskey = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await logInByPasskey();
    if (answer.ok) return openApp();
    setBusy(false);
    setFailure(answer.error.message);
  };
  return (
    <div className="login-ways">
      <p className="login-or">Invited by your clinic? Log in without the CRM.</p>
      {message && <Banner tone="bad" lead={message} ref={banner} />}
      {isCodeLogin ? (
        <CodeLoginForm
          login={login}
          onBack={() => {
            login.restart();
            setCodeLogin(false);
          }}
        />
      ) : (
        <>
          <Button size="lg" wide disabled={!isReady} busy={isBusy} onClick={() => void logInWithPasskey()}>
            Use a passkey
          </Button>
          <Button
            size="lg"
            wide
            disabled={!isReady}
            onClick={() => {
              setFailure(null);
              setCodeLogin(true);
            }}
          >
            Email me a code
          </Button>
        </>
      )}
    </div>
  );
}

function CodeLoginForm({ login, onBack }: { login: CodeLogin; onBack(): void }) {
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const { step, isBusy } = login;
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [step]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (step === 'email') void login.sendCode(email);
    else void login.submitCode(code);
  };
  return (
    <form className="login-code" ref={form} onSubmit={submit}>
      {step === 'email' && (
        <Field
          id="login-email"
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      {step === 'code' && (
        <>
          <p role="status">If a clinic invited {email}, a code is on its way there.</p>
          <CodeField value={code} onChange={setCode} />
        </>
      )}
      {step === 'clinic' ? (
        <>
          <p role="status">You work at several clinics. Choose one.</p>
          <ClinicChoice
            clinics={login.clinics}
            isBusy={isBusy}
            onChoose={(clinic) => void login.chooseClinic(clinic)}
          />
        </>
      ) : (
        <Button size="lg" wide type="submit" busy={isBusy}>
          {step === 'email' ? 'Email me a code' : 'Log in'}
        </Button>
      )}
      <p className="login-back">
        {step !== 'email' && (
          <button type="button" className="text-button" onClick={login.restart}>
            New code
          </button>
        )}
        <button type="button" className="text-button" onClick={onBack}>
          Another way
        </button>
      </p>
    </form>
  );
}
