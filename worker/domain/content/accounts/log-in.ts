import { dropDecoys, findUsersByEmail, noteLogin } from '#worker/data/content/accounts/accounts';
import { insertContentSession, undoTry } from '#worker/data/content/accounts/login';
import type { Deps } from '#worker/deps';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import type { ChallengeRequest } from '#worker/domain/challenges/passkeys';
import { busy, type Caller, enforceRateLimits, ipRateLimit, keyOf, type TooManyTries } from './rate-limit.ts';
import { requestSecondFactor } from './second-factor.ts';
import { type ContentSession, newContentSession } from './session.ts';

export type ContentLogin =
  /** `device` lets this browser try again while others are guessing. */
  | { kind: 'logged-in'; session: ContentSession; device: string }
  /** The password is correct, and the account has a second factor. */
  | ({ kind: 'second' } & ChallengeRequest)
  | { kind: 'wrong' }
  | TooManyTries;

/**
 * Logs in by email and password. A hash is computed for every address, and the same rows are read and written, so that
 * neither the response nor its time reveals which addresses are known. Tries are counted before the hash, so that a
 * burst of them cannot bypass the limit.
 */
export async function logInContent(
  deps: Deps,
  { email, password }: { email: string; password: string },
  caller: Caller & { device: string | undefined },
): Promise<ContentLogin> {
  const { db, passwords, settings, now } = deps;
  const address = await ipRateLimit(
    deps,
    'login',
    caller,
    settings.LOGIN_TRIES_PER_IP,
    settings.LOGIN_TRIES_PER_UNKNOWN_IP,
  );
  const users = await findUsersByEmail(db, email);
  const [account] = users;
  const device = caller.device ? await deps.signed.device.read(caller.device, now()) : null;
  const isKnownHere = device !== null && device.subject === account?.id;
  const accountLimit = {
    key: isKnownHere ? await keyOf(deps, 'login-device', device.id) : await keyOf(deps, 'login', email),
    limit: settings.LOGIN_TRIES_PER_ACCOUNT,
  };
  // A browser that has logged in to this account before is not blocked by other tries on the email or IP address.
  const refused = await enforceRateLimits(deps, isKnownHere ? [accountLimit] : [accountLimit, address], 'login');
  if (refused) return refused;

  const hash = await passwords.hash(password, account?.password);
  if (hash === 'busy') return busy;
  const user = users.find((candidate) => passwords.isSame(candidate.password, hash));
  const wrong = async (): Promise<ContentLogin> => {
    deps.log.info('content-login-failed', { device: isKnownHere });
    await countAnonymousRefusal(deps, 'login.refused', '/api/auth/login');
    return { kind: 'wrong' };
  };
  if (!user) return wrong();
  const isWeak = user === account && passwords.isOutdated(user.password);
  const upgradedHash = isWeak ? await passwords.hash(password) : 'busy';
  const second = user.status === 'active' ? await requestSecondFactor(deps, user) : null;
  if (second) {
    await db.batch(undoTry(db, accountLimit.key, isKnownHere ? null : address));
    return { kind: 'second', ...second };
  }
  const { session, row, event } = await newContentSession(deps, user);
  const [opened] = await db.batch([
    ...insertContentSession(db, row, event),
    noteLogin(db, user, now(), upgradedHash === 'busy' ? undefined : upgradedHash),
  ]);
  if (opened.length === 0) return wrong();
  if (upgradedHash !== 'busy') await dropDecoys(db, email);
  await db.batch(undoTry(db, accountLimit.key, isKnownHere ? null : address));
  deps.log.info('content-logged-in', { userId: user.id });
  return {
    kind: 'logged-in',
    session,
    device: await deps.signed.device.issue({ id: deps.newId(), subject: user.id }, now()),
  };
}
