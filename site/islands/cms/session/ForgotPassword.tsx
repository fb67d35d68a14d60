import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ForgotBody, ResetBody } from '#shared/contracts/content/content-request';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { dropToken, post, readDone } from '../api.ts';
import { emailRules, newPasswordRules, samePassword } from './form-rules.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { ErrorBanner, useError } from './notices.tsx';

/** Requests an email with a reset link. The reply does not reveal whether the address has an account. */
export function ForgotForm({ onBack }: { onBack(): void }) {
  const form = useForm<ForgotBody>({ defaultValues: { email: '' } });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['email']);
  const [sentTo, setSentTo] = useState('');

  const submit = form.handleSubmit(async ({ email }) => {
    clear();
    const answer = await post('/api/auth/forgot', { email }, readDone);
    if (answer.ok) setSentTo(email.trim());
    else show(answer.error);
  });

  return (
    <section className="card app-narrow" aria-labelledby="forgot">
      <h1 id="forgot" tabIndex={-1}>
        A new password
      </h1>
      {sentTo && (
        <Banner tone="ok" lead="Check your mailbox.">
          If {sentTo} has an account, a link is on its way. It works once, for an hour.
        </Banner>
      )}
      <ErrorBanner error={error} lead="The link could not be sent." ref={banner} onDismiss={clear} />
      {!sentTo && (
        <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
          <Field
            id="email"
            label="Email"
            type="email"
            autoComplete="username"
            hint="We’ll email you a link to choose a new password."
            error={errors.email?.message}
            {...form.register('email', emailRules)}
          />
          <Button kind="primary" wide type="submit" busy={isSubmitting}>
            Send the link
          </Button>
        </form>
      )}
      <p className="sign-in-links">
        <button type="button" className="text-button" onClick={onBack}>
          Back to the login
        </button>
      </p>
    </section>
  );
}

type Values = { password: string; confirmPassword: string };
type Props = { reset: string; onDone(): void; onNewLink(): void };

/** The form behind the link in the reset email. A new password ends all sessions of the account. */
export function ResetForm({ reset, onDone, onNewLink }: Props) {
  const form = useForm<Values>({ defaultValues: { password: '', confirmPassword: '' } });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['password']);

  const submit = form.handleSubmit(async ({ password }) => {
    clear();
    const answer = await post('/api/auth/reset', { reset, password } satisfies ResetBody, readDone);
    if (!answer.ok) return show(answer.error);
    dropToken();
    onDone();
  });

  return (
    <section className="card app-narrow" aria-labelledby="reset">
      <h1 id="reset" tabIndex={-1}>
        Choose a new password
      </h1>
      <ErrorBanner error={error} lead="The password could not be changed." ref={banner} onDismiss={clear} />
      <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
        <NewPasswordFields
          id="password"
          label="New password"
          password={form.register('password', newPasswordRules)}
          confirmPassword={form.register('confirmPassword', samePassword)}
          errors={errors}
        />
        <Button kind="primary" wide type="submit" busy={isSubmitting}>
          Change password
        </Button>
      </form>
      {error?.status === 410 && (
        <p className="sign-in-links">
          <button type="button" className="text-button" onClick={onNewLink}>
            Ask for a new link
          </button>
        </p>
      )}
    </section>
  );
}
