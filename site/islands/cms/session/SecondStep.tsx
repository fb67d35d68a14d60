import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { LoginReply } from '#shared/contracts/content/content';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { sendRecoveryCode, showPasskey } from './passkeys.ts';

/** `options`: the passkey request for the browser, valid for one attempt. */
type Props = { options: object; onDone(reply: LoginReply): void; onBack(message: string): void };

/** The second step of a login: the account's passkey, or a recovery code. */
export function SecondStep({ options, onDone, onBack }: Props) {
  const [hasCode, setHasCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const run = async (request: Promise<Answer<LoginReply>>) => {
    setBusy(true);
    const answer = await request;
    setBusy(false);
    if (answer.ok) onDone(answer.value);
    else onBack(answer.error.message);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) void run(sendRecoveryCode(String(new FormData(event.currentTarget).get('code') ?? '')));
  };
  return (
    <section className="card app-narrow" aria-labelledby="second">
      <h1 id="second" tabIndex={-1} ref={heading}>
        Confirm your identity
      </h1>
      {hasCode ? (
        <form className="app-form" onSubmit={submit}>
          <Banner tone="note" lead="Each recovery code works once.">
            Make a new passkey afterwards, under Your account.
          </Banner>
          <Field
            id="code"
            name="code"
            label="Recovery code"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={40}
            required
          />
          <Button kind="primary" wide type="submit" busy={isBusy}>
            Log in
          </Button>
        </form>
      ) : (
        <Button kind="primary" wide busy={isBusy} onClick={() => void run(showPasskey(options))}>
          Show your passkey
        </Button>
      )}
      <p>
        <button type="button" className="text-button" onClick={() => setHasCode(!hasCode)}>
          {hasCode ? 'I have my passkey' : 'I lost my passkey'}
        </button>
      </p>
    </section>
  );
}
