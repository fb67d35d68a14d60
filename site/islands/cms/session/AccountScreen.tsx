import { useForm } from 'react-hook-form';
import type { PasswordBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { call, readDone } from '../api.ts';
import { ErrorBanner } from './ErrorBanner.tsx';
import { newPasswordRules, required, samePassword } from './fields.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { Passkeys } from './Passkeys.tsx';
import { useError } from './use-error.ts';

type Values = { current: string; password: string; confirmPassword: string };

/** The member's own account: a new password, which logs out every other browser. */
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
      <Passkeys isNeeded={needsPasskey} />
      <section className="card app-narrow" aria-labelledby="change-password">
        <h2 id="change-password">Change your password</h2>
        <ErrorBanner error={error} lead="The password could not be changed." ref={banner} onDismiss={clear} />
        <form className="app-form" noValidate onSubmit={(event) => void submit(event)}>
          {/* Password managers file the new password under this name. */}
          <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
          <Field
            id="current-password"
            label="Present password"
            type="password"
            autoComplete="current-password"
            error={errors.current?.message}
            {...form.register('current', required('Please enter your present password.'))}
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
  );
}
