import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { PasswordBody } from '#shared/contracts/content/content-request';
import type { SecondFactors } from '#shared/contracts/content/second-factor-reply';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { RemovePasskey } from '#site/islands/ui/passkey/RemovePasskey.tsx';
import { call, readDone } from '../api.ts';
import { newPasswordRules, required, samePassword } from './form-rules.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { ErrorBanner, useError } from './notices.tsx';
import { listPasskeys, makePasskey, makeRecoveryCodes, removePasskey } from './passkeys.ts';
import '#site/styles/areas/cms/passkeys.css';

/** Shows new recovery codes to copy or download. The server returns them only once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('Recovery codes copied'),
      () => toast('Your browser does not allow copying here. Download them instead.'),
    );
  return (
    <>
      <ul className="passkey-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="passkey-acts">
        <Button onClick={() => void copy()}>Copy codes</Button>
        <a
          className="button button-secondary"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          Download codes
        </a>
      </div>
    </>
  );
}

/** The member's passkeys, required in addition to the password at each login, and the recovery codes for lost ones. */
export function Passkeys({ isRequired }: { isRequired: boolean }) {
  const [factors, setFactors] = useState<SecondFactors | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const loadFactors = useCallback(async () => {
    const answer = await listPasskeys();
    if (answer.ok) setFactors(answer.value);
    else setFailure(answer.error.message);
  }, []);
  useEffect(() => void loadFactors(), [loadFactors]);

  const run = async (work: () => Promise<string | null>) => {
    setBusy(true);
    setFailure(await work());
    setBusy(false);
    void loadFactors();
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
      else if (isRequired) window.location.assign('/cms');
      return null;
    });
  };
  return (
    <section className="card" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      {isRequired && codes.length === 0 && (
        <Banner tone="warn" lead="Owners need a passkey here.">
          Add one to open the content area.
        </Banner>
      )}
      <p>You use a passkey together with your password at each login, by finger, face or PIN.</p>
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure(null)} />}
      {codes.length > 0 && (
        <>
          <Banner tone="note" lead="Your recovery codes are shown this once. Keep them in a safe place.">
            Each lets you log in once without a passkey, with your password.
          </Banner>
          <RecoveryCodes codes={codes} />
          {isRequired && (
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
            <RemovePasskey label={label} run={() => removePasskey(id)} onDone={() => void loadFactors()} />
          </li>
        ))}
      </ul>
      {factors && factors.passkeys.length > 0 && (
        <div>
          Recovery codes left: {factors.recovery_codes_left}.{' '}
          <ConfirmedAction
            label="Make new ones"
            title="Make new recovery codes?"
            confirmLabel="Make new codes"
            isDestructive
            runAction={makeRecoveryCodes}
            successText="New recovery codes made"
            onDone={(reply) => {
              setCodes(reply.recovery_codes);
              void loadFactors();
            }}
          >
            <p>The codes that you have now stop working at once.</p>
          </ConfirmedAction>
        </div>
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

type Values = { current: string; password: string; confirmPassword: string };

/** The member's own account: passkeys, and a new password, which logs out all other browsers. */
export function AccountScreen({ email, needsPasskey = false }: { email: string; needsPasskey?: boolean }) {
  const form = useForm<Values>({ defaultValues: { current: '', password: '', confirmPassword: '' } });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['current', 'password']);

  const submit = form.handleSubmit(async ({ current, password }) => {
    clear();
    const body: PasswordBody = { current, password };
    const answer = await call('/api/auth/password', readDone, sendJson('PUT', body));
    if (!answer.ok) return show(answer.error);
    form.reset();
    toast('Your password is changed. Other browsers are logged out.');
  });

  return (
    <div className="cms-stack">
      <h1 tabIndex={-1}>Your account</h1>
      <div className="cms-halves">
        <Passkeys isRequired={needsPasskey} />
        <section className="card" aria-labelledby="change-password">
          <h2 id="change-password">Change your password</h2>
          <ErrorBanner error={error} lead="The password could not be changed." ref={banner} onDismiss={clear} />
          <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
            {/* Password managers save the new password under this name. */}
            <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
            <Field
              id="current-password"
              label="Current password"
              type="password"
              autoComplete="current-password"
              error={errors.current?.message}
              {...form.register('current', required('Please enter your current password.'))}
            />
            <NewPasswordFields
              id="new-password"
              label="New password"
              password={form.register('password', newPasswordRules)}
              confirmPassword={form.register('confirmPassword', samePassword)}
              errors={errors}
            />
            <Button kind="primary" wide type="submit" busy={isSubmitting}>
              Change password
            </Button>
          </form>
        </section>
      </div>
    </div>
  );
}
