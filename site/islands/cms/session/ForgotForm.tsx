import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ForgotBody } from '#shared/contracts/content/content-request';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { post, readDone } from '../api.ts';
import { ErrorBanner } from './ErrorBanner.tsx';
import { emailRules } from './fields.ts';
import { useError } from './use-error.ts';

/** Asks for a mail with a reset link. The reply does not tell whether the address has an account. */
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
        <Banner tone="ok" lead="Look into your mailbox.">
          If {sentTo} has an account, a link is on its way. It works once, for an hour.
        </Banner>
      )}
      <ErrorBanner error={error} lead="The link could not be sent." ref={banner} onDismiss={clear} />
      {!sentTo && (
        <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
          <Field
            id="email"
            label="E-mail"
            type="email"
            autoComplete="username"
            hint="We mail you a link to choose a new password."
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
