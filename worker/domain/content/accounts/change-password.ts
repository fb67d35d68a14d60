import { passwordProblem } from '#shared/password-rule';
import { setPassword } from '#worker/data/content/accounts/accounts';
import { forgetTry } from '#worker/data/content/accounts/rate-limits';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { isGuessable } from './common-passwords.ts';
import { busy, keyOf, type Refused, take } from './rate-limit.ts';
import type { Member } from './session.ts';

export type ChangeOutcome =
  | { kind: 'changed' }
  /** It is not the present password; counts as a try, since a stolen session must not be enough to guess it. */
  | { kind: 'wrong' }
  | { kind: 'refused'; problem: string }
  /** The account got another password while the hashes were made. */
  | { kind: 'overtaken' }
  | Refused;

/** Change the password of a member who knows the present one. Ends every other session of the account. */
export async function changePassword(
  deps: Deps,
  { sessionId, user }: Member,
  current: string,
  password: unknown,
): Promise<ChangeOutcome> {
  const { db, passwords, settings, now } = deps;
  const problem = passwordProblem(password, isGuessable(user.email, user.name));
  if (problem || typeof password !== 'string') return { kind: 'refused', problem: problem ?? '' };
  const own = { key: await keyOf(deps, 'password', user.id), limit: settings.LOGIN_TRIES_PER_ACCOUNT };
  const refused = await take(deps, [own], 'login');
  if (refused) return refused;
  const hash = await passwords.hash(current, user.password);
  if (hash === 'busy') return busy;
  if (!passwords.isSame(user.password, hash)) {
    deps.log.info('content-password-wrong', { userId: user.id });
    return { kind: 'wrong' };
  }
  const next = await passwords.hash(password);
  if (next === 'busy') return busy;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'password.changed',
    subject: ['content-user', user.id],
  });
  if (!(await setPassword(db, user, { next, keptSession: sessionId }, now(), event))) return { kind: 'overtaken' };
  await db.batch(forgetTry(db, own.key, null));
  deps.log.info('content-password-changed', { userId: user.id });
  return { kind: 'changed' };
}
