import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { SecondFactors } from '#shared/contracts/content/second-factor-reply';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { listPasskeys, makePasskey, makeRecoveryCodes, removePasskey } from './passkeys.ts';
import '#site/styles/areas/cms/passkeys.css';

/** The member's passkeys, shown beside the password at each login, and the codes for the day on which they are lost. */
export function Passkeys({ isNeeded }: { isNeeded: boolean }) {
  const [factors, setFactors] = useState<SecondFactors | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const read = useCallback(async () => {
    const answer = await listPasskeys();
    if (answer.ok) setFactors(answer.value);
    else setFailure(answer.error.message);
  }, []);
  useEffect(() => void read(), [read]);

  const run = async (work: () => Promise<string | null>) => {
    setBusy(true);
    setFailure(await work());
    setBusy(false);
    void read();
  };
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    if (isBusy) return;
    void run(async () => {
      const answer = await makePasskey(String(values.get('label')), String(values.get('passkey-password')));
      if (!answer.ok) return answer.error.message;
      form.reset();
      if (answer.value.recovery_codes.length > 0) setCodes(answer.value.recovery_codes);
      else if (isNeeded) window.location.assign('/cms');
      return null;
    });
  };
  const renewCodes = async () => {
    const answer = await makeRecoveryCodes();
    if (!answer.ok) return answer.error.message;
    setCodes(answer.value.recovery_codes);
    return null;
  };
  const remove = async (id: string) => {
    const answer = await removePasskey(id);
    return answer.ok ? null : answer.error.message;
  };

  return (
    <section className="card app-narrow" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      {isNeeded && codes.length === 0 && (
        <Banner tone="warn" lead="Owners need a passkey here.">
          Make one, and the content area opens.
        </Banner>
      )}
      <p>A passkey is shown beside the password at each login, by finger, face or PIN.</p>
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure(null)} />}
      {codes.length > 0 && (
        <>
          <Banner tone="note" lead="Your recovery codes are shown this once. Keep them where you keep keys.">
            Each lets you log in once without a passkey, with your password.
          </Banner>
          <ul className="passkey-codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          {isNeeded && (
            <Button kind="primary" wide onClick={() => window.location.assign('/cms')}>
              I have kept them
            </Button>
          )}
        </>
      )}
      <ul className="passkey-list">
        {factors?.passkeys.map(({ id, label, created_at, used_at }) => (
          <li key={id}>
            <span>
              {label}, since {formatDay(created_at)}
              {used_at && `, last shown ${formatDay(used_at)}`}
            </span>{' '}
            <Button size="sm" busy={isBusy} onClick={() => void run(() => remove(id))}>
              Remove<span className="sr-only"> {label}</span>
            </Button>
          </li>
        ))}
      </ul>
      {factors && factors.passkeys.length > 0 && (
        <p>
          Recovery codes left: {factors.recovery_codes_left}.{' '}
          <button type="button" className="text-button" onClick={() => void run(renewCodes)}>
            Make new ones
          </button>
        </p>
      )}
      <form className="app-form" onSubmit={add}>
        <Field id="label" name="label" label="Name of the passkey" hint="Such as the device." maxLength={60} required />
        <Field
          id="passkey-password"
          name="passkey-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button kind="secondary" wide type="submit" busy={isBusy}>
          Make a passkey
        </Button>
      </form>
    </section>
  );
}
