import { contentLimits } from '#shared/contracts/content';
import { operator } from '#shared/operator';
import { isCommonPassword } from './common-passwords.ts';

const { min, max } = contentLimits.password;

/** Why a password cannot be taken, or null. `own` are words that stand for its owner. Characters count as people see them. */
export function passwordProblem(password: unknown, ...own: string[]): string | null {
  const length = typeof password === 'string' ? Array.from(password).length : 0;
  if (typeof password !== 'string' || length < min) return `Please use at least ${min} characters.`;
  if (length > max) return `Please use at most ${max} characters.`;
  return isCommonPassword(password, [...own, operator.name]) ? 'This password is too easy to guess.' : null;
}
