import { useForm } from 'react-hook-form';
import type { ResetBody } from '#shared/contracts/content/content-request';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { post, readDone } from '../api.ts';
import { dropToken } from '../token.ts';
import { ErrorBanner } from './ErrorBanner.tsx';
import { newPasswordRules, samePassword } from './fields.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { useError } from './use-error.ts';

type Values = { password: string; confirmPassword: string };
type Props = { reset: string; onDone(): void; onAskAgain(): void };

/** The target of the reset mail. A new password ends every session of the account. */
export function ResetForm({ reset, onDone, onAskAgain }: Props) {
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
          <button type="button" className="text-button" onClick={onAskAgain}>
            Ask for a new link
          </button>
        </p>
      )}
    </section>
  );
}
