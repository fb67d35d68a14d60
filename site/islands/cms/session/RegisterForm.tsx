import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ContentUser, InvitationReply } from '#shared/contracts/content/content';
import type { RegisterBody } from '#shared/contracts/content/content-request';
import { roleNames } from '#shared/contracts/content/content-values';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { post } from '../api.ts';
import { readLogin } from '../parse-response.ts';
import { keepRegistered, keepToken } from '../token.ts';
import { ErrorBanner } from './ErrorBanner.tsx';
import { emailRules, newPasswordRules, required, samePassword } from './fields.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { useError } from './use-error.ts';

type Values = { name: string; email: string; password: string; confirmPassword: string; setupCode: string };
type Props = {
  invitation: (InvitationReply & { key: string }) | null;
  notice: ReactNode;
  onRegistered(user: ContentUser): void;
};

export function RegisterForm({ invitation, notice, onRegistered }: Props) {
  const [hasCode, setHasCode] = useState(false);
  const form = useForm<Values>({
    defaultValues: { name: '', email: invitation?.email ?? '', password: '', confirmPassword: '', setupCode: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const { error, banner, show, clear } = useError(form, ['name', 'email', 'password', 'confirmPassword', 'setupCode']);

  const submit = form.handleSubmit(async ({ name, email, password, setupCode }) => {
    clear();
    const proof = invitation ? { invitation: invitation.key } : hasCode ? { setupCode: setupCode.trim() } : {};
    const body: RegisterBody = { name, email, password, ...proof };
    const answer = await post('/api/auth/register', body, readLogin);
    if (!answer.ok) return show(answer.error);
    const { token, user } = answer.value;
    keepRegistered(token);
    if (user.status === 'active') keepToken(token);
    onRegistered(user);
  });

  return (
    <section className="card app-narrow" aria-labelledby="register">
      <h1 id="register" tabIndex={-1}>
        Create an account
      </h1>
      {notice}
      <p className="app-quiet">
        {invitation
          ? `You are invited to write for this site as ${roleNames[invitation.role].as}.`
          : 'For those who write for this site. An owner lets you in.'}
      </p>
      <ErrorBanner error={error} lead="Registration failed" ref={banner} onDismiss={clear} />
      <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          id="name"
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...form.register('name', required('Please enter your name.'))}
        />
        <Field
          id="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          readOnly={invitation !== null}
          error={errors.email?.message}
          {...form.register('email', emailRules)}
        />
        <NewPasswordFields
          id="password"
          label="Password"
          password={form.register('password', newPasswordRules)}
          confirmPassword={form.register('confirmPassword', samePassword)}
          errors={errors}
        />
        {hasCode && (
          <Field
            id="setup-code"
            label="Set-up code"
            hint="It makes you the first owner of this site, once."
            autoComplete="off"
            spellCheck={false}
            error={errors.setupCode?.message}
            {...form.register('setupCode', required('Please enter the set-up code.'))}
          />
        )}
        <Button kind="primary" wide type="submit" busy={isSubmitting}>
          Register
        </Button>
      </form>
      <p className="sign-in-links">
        <a href="/cms/login">I have an account</a>
        {!invitation && !hasCode && (
          <button type="button" className="text-button" onClick={() => setHasCode(true)}>
            I have a set-up code
          </button>
        )}
      </p>
    </section>
  );
}
