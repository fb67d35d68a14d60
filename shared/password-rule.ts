const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

export const newPasswordHint = `At least ${MIN_LENGTH} characters; a few words in a row are good.`;

/**
 * Returns the reason to refuse a new password, or null. Length counts code points. Only the server passes `isGuessable`
 * (the list of common passwords); the browser does not, to avoid loading it.
 */
export function passwordProblem(
  password: unknown,
  isGuessable: (password: string) => boolean = () => false,
): string | null {
  const length = typeof password === 'string' ? Array.from(password).length : 0;
  if (typeof password !== 'string' || length < MIN_LENGTH) return `Please use at least ${MIN_LENGTH} characters.`;
  if (length > MAX_LENGTH) return `Please use at most ${MAX_LENGTH} characters.`;
  return isGuessable(password) ? 'This password is too easy to guess.' : null;
}
