import { useEffect, useEffectEvent } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { newPasswordHint, passwordProblem } from '#shared/password-rule';
import { Field } from '#site/islands/ui/form/Field.tsx';

/** Checks before a form is sent; the server checks the rest. */
export const required = (message: string) => ({ validate: (text: string) => text.trim() !== '' || message });

export const emailRules = {
  validate: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text.trim()) || 'Please enter a valid email address.',
};

export const newPasswordRules = { validate: (text: string) => passwordProblem(text) ?? true };

export const samePassword = {
  validate: (text: string, { password }: { password: string }) => text === password || 'Passwords do not match',
};

/** Returns the secret after the #, and removes it from the address to keep it out of the history. */
export function takeKey(name: string): string | null {
  const key = new URLSearchParams(window.location.hash.slice(1)).get(name);
  if (key !== null) window.history.replaceState(null, '', window.location.pathname);
  return key || null;
}

/** Handles a link from an email that opens in a tab with this page: then only the part after the # changes. */
export function useLateKey(name: string, onKey: (key: string) => void): void {
  const take = useEffectEvent(() => {
    const key = takeKey(name);
    if (key) onKey(key);
  });
  useEffect(() => {
    const listen = () => take();
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, []);
}

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
