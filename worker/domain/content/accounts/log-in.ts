import { deleteDecoys, findUsersByEmail, recordLogin } from '#worker/data/content/accounts/accounts';
import { insertContentSession, undoAttempt } from '#worker/data/content/accounts/sessions-and-rate-limits';
import type { Deps } from '#worker/deps';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import type { ChallengeRequest } from '#worker/domain/challenges/passkeys';
import {
  busyRefusal,
  type Caller,
  enforceRateLimits,
  ipRateLimit,
  rateLimitKey,
  type TooManyTries,
} from './rate-limit.ts';
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
  const addressLimit = await ipRateLimit(
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
    key: isKnownHere ? await rateLimitKey(deps, 'login-device', device.id) : await rateLimitKey(deps, 'login', email),
    limit: settings.LOGIN_TRIES_PER_ACCOUNT,
  };
  // A browser that has logged in to this account before is not blocked by other tries on the email or IP address.
  const rateLimited = await enforceRateLimits(
    deps,
    isKnownHere ? [accountLimit] : [accountLimit, addressLimit],
    'login',
  );
  if (rateLimited) return rateLimited;

  const hash = await passwords.hash(password, account?.password);
  if (hash === 'busy') return busyRefusal;
  const user = users.find((candidate) => passwords.isSame(candidate.password, hash));
  const refuseLogin = async (): Promise<ContentLogin> => {
    deps.log.info('content-login-failed', { device: isKnownHere });
    await countAnonymousRefusal(deps, 'login.refused', '/api/auth/login');
    return { kind: 'wrong' };
  };
  if (!user) return refuseLogin();
  const isWeak = user === account && passwords.isOutdated(user.password);
  const upgradedHash = isWeak ? await passwords.hash(password) : 'busy';
  const secondFactor = user.status === 'active' ? await requestSecondFactor(deps, user) : null;
  if (secondFactor) {
    await db.batch(undoAttempt(db, accountLimit.key, isKnownHere ? null : addressLimit));
    return { kind: 'second', ...secondFactor };
  }
  const { session, row, event } = await newContentSession(deps, user);
  const [openedSessions] = await db.batch([
    ...insertContentSession(db, row, event),
    recordLogin(db, user, now(), upgradedHash === 'busy' ? undefined : upgradedHash),
  ]);
  if (openedSessions.length === 0) return refuseLogin();
  if (upgradedHash !== 'busy') await deleteDecoys(db, email);
  await db.batch(undoAttempt(db, accountLimit.key, isKnownHere ? null : addressLimit));
  deps.log.info('content-logged-in', { userId: user.id });
  return {
    kind: 'logged-in',
    session,
    device: await deps.signed.device.issue({ id: deps.newId(), subject: user.id }, now()),
  };
}
