import { type FormEvent, useRef, useState } from 'react';
import { operatorLimits } from '#shared/contracts/operators/operator-values';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Field } from '../ui/form/Field.tsx';
import { enroll, signIn } from './api.ts';
import '#site/styles/areas/cms/sign-in.css';
import '#site/styles/parts/page/login-card.css';

type Props = { notice: string; onSignedIn(): void };

/** Logs in with a passkey, which new operators first create with a code. */
export function SignIn({ notice, onSignedIn }: Props) {
  const [hasCode, setHasCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const banner = useRef<HTMLDivElement>(null);

  const run = async (call: () => ReturnType<typeof signIn> | ReturnType<typeof enroll>) => {
    setBusy(true);
    setFailure('');
    const answer = await call();
    setBusy(false);
    if (answer.ok) return onSignedIn();
    setFailure(answer.error.message);
    banner.current?.focus();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (!isBusy) void run(() => enroll(String(form.get('code') ?? ''), String(form.get('name') ?? '')));
  };
  const toggle = (next: boolean) => {
    setHasCode(next);
    setFailure('');
  };

  return (
    <section className="card login-card" aria-labelledby="log-in">
      <img className="mark" src="/favicon.svg" alt="" width="48" height="48" />
      <h1 id="log-in" tabIndex={-1}>
        {hasCode ? 'Become an operator' : 'Log in to operate'}
      </h1>
      {notice && !failure && <Banner tone="note" lead={notice} />}
      {failure && <Banner tone="bad" lead={failure} ref={banner} />}
      {hasCode ? (
        <form className="app-form" onSubmit={submit}>
          <Field id="name" name="name" label="Your name" autoComplete="name" maxLength={operatorLimits.name} required />
          <Field
            id="code"
            name="code"
            label="Code"
            hint="From an operator, or from the installation's settings. It works once."
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={operatorLimits.code}
            required
          />
          <Button kind="primary" wide type="submit" busy={isBusy}>
            Make a passkey
          </Button>
        </form>
      ) : (
        <>
          <p className="app-quiet">For the people who run this installation. Your browser asks for your passkey.</p>
          <Button kind="primary" wide busy={isBusy} onClick={() => void run(signIn)}>
            Log in with a passkey
          </Button>
        </>
      )}
      <p className="sign-in-links">
        <button type="button" className="text-button" onClick={() => toggle(!hasCode)}>
          {hasCode ? 'I have a passkey' : 'I have a code'}
        </button>
      </p>
    </section>
  );
}
