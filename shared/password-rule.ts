const SHORTEST = 12;
const LONGEST = 128;

export const newPasswordHint = `At least ${SHORTEST} characters; a few words in a row are good.`;

/**
 * Returns the reason to refuse a new password, or null. Length counts code points. Only the server passes `isGuessable`
 * (the list of common passwords); the browser does not, to avoid loading it.
 */
export function passwordProblem(
  password: unknown,
  isGuessable: (password: string) => boolean = () => false,
): string | null {
  const length = typeof password === 'string' ? Array.from(password).length : 0;
  if (typeof password !== 'string' || length < SHORTEST) return `Please use at least ${SHORTEST} characters.`;
  if (length > LONGEST) return `Please use at most ${LONGEST} characters.`;
  return isGuessable(password) ? 'This password is too easy to guess.' : null;
}
