import { passwordProblem } from '#shared/password-rule';

/** Checks before a form is sent; the server checks the rest. */
export const required = (message: string) => ({ validate: (text: string) => text.trim() !== '' || message });

export const emailRules = {
  validate: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text.trim()) || 'Please enter a valid email address.',
};

export const newPasswordRules = { validate: (text: string) => passwordProblem(text) ?? true };

export const samePassword = {
  validate: (text: string, { password }: { password: string }) => text === password || 'Passwords do not match',
};
