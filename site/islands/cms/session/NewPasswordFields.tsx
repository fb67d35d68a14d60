import type { UseFormRegisterReturn } from 'react-hook-form';
import { newPasswordHint } from '#shared/password-rule';
import { Field } from '#site/islands/ui/form/Field.tsx';

type Problem = { message?: string | undefined };
type Props = {
  id: string;
  label: string;
  password: UseFormRegisterReturn;
  confirmPassword: UseFormRegisterReturn;
  errors: { password?: Problem | undefined; confirmPassword?: Problem | undefined };
};

/** A new password, typed twice. */
export function NewPasswordFields({ id, label, password, confirmPassword, errors }: Props) {
  return (
    <>
      <Field
        id={id}
        label={label}
        type="password"
        autoComplete="new-password"
        hint={newPasswordHint}
        error={errors.password?.message}
        {...password}
      />
      <Field
        id="confirm-password"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...confirmPassword}
      />
    </>
  );
}
