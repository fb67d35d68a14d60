import { operator } from '#shared/operator';
import { passwordProblem } from '#shared/password-rule';
import { eventWrite } from '#worker/data/audit/events';
import { findUsersByEmail, setPassword } from '#worker/data/content/accounts/accounts';
import { findResetUser, insertReset, redeemReset } from '#worker/data/content/accounts/invitations';
import { undoAttempt } from '#worker/data/content/accounts/sessions-and-rate-limits';
import { queueMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { sendMail } from '#worker/domain/mail/send';
import { isPopular } from '#worker/security/popular-passwords';
import { boundTo } from '#worker/security/token-cipher';
import {
  busyRefusal,
  type Caller,
  enforceRateLimits,
  ipRateLimit,
  rateLimitKey,
  type TooManyTries,
} from './rate-limit.ts';
import type { Member } from './session.ts';

/**
 * Passwords that attackers try first, besides the most frequent ones (security/popular-passwords) and those made of a
 * common word, a row of keys or the owner's name. The minimum length is twelve, so short ones are not listed.
 */
const KNOWN_PASSWORDS = new Set(
  `098765432109 147258369147 987654321000 abcd12345678 abcdefgh1234 correcthorsebatterystaple happybirthday iloveyouforever
  iloveyousomuch letmeinplease nopasswordhere temporarypassword test12345678 thisisapassword trustno1trustno1`.split(
    /\s+/,
  ),
);

/** Words that attackers try early with a year, digits or a symbol added. */
const COMMON_WORDS = new RegExp(
  `administrator|password|passwort|temp|user|qwerty|letmein|welcome|iloveyou|admin|secret|changeme|monkey|dragon|football|sunshine|baseball|superman
  starwars|princess|computer|internet|default|liverpool|barcelona|charlie|michael|jennifer|jessica|ashley|mustang|pokemon
  minecraft|whatever|helloworld|goodmorning|christmas|summer|winter|spring|autumn`.replace(/\s+/g, '|'),
);
const KEY_ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv',
];

/** Replaces look-alike characters with the letters that they stand for. */
const toPlainLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's');

const isKeySequence = (text: string): boolean =>
  KEY_ROWS.some((row) => {
    const forward = row + row;
    const backward = Array.from(forward).reverse().join('');
    return forward.includes(text) || backward.includes(text);
  });

/** The number of letters that must remain when the guessable parts are removed. */
const MIN_LETTERS = 5;

/** For shared/password-rule: true if a password would be guessed early. `ownWords`: words related to its owner. */
export const isGuessable =
  (...ownWords: string[]) =>
  (password: string): boolean =>
    isCommonPassword(password, [...ownWords, operator.name]);

function isCommonPassword(password: string, ownWords: string[]): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  const joined = lower.replace(/\s+/g, '');
  if (KNOWN_PASSWORDS.has(joined) || isPopular(joined) || new Set(lower).size < MIN_LETTERS || isKeySequence(lower))
    return true;
  // One short pattern, repeated.
  if (/^(.{1,6}?)\1+.{0,3}$/u.test(lower)) return true;
  const words = ownWords
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 3);
  // Digits at either end, such as a year, do not stand for letters.
  const letters = toPlainLetters(lower.replace(/^[\d\s]+|[\d\s!?.]+$/g, ''));
  const withoutOwnWords = [...words, ...words.map(toPlainLetters)].reduce(
    (text, word) => text.replaceAll(word, ''),
    letters,
  );
  const remaining = withoutOwnWords.replace(new RegExp(COMMON_WORDS, 'g'), '').replace(/[^\p{L}]+/gu, '');
  return remaining.length < MIN_LETTERS && (withoutOwnWords.length < letters.length || COMMON_WORDS.test(letters));
}

export type ChangeOutcome =
  | { kind: 'changed' }
  /** Not the current password. Counts as a try: a stolen session must not be enough to guess it. */
  | { kind: 'wrong' }
  | { kind: 'refused'; problem: string }
  /** The password was changed while the hashes were computed. */
  | { kind: 'overtaken' }
  | TooManyTries;

/** Changes a member's password, given the current one. Ends every other session of the account. */
export async function changePassword(
  deps: Deps,
  { sessionId, user }: Member,
  current: string,
  password: unknown,
): Promise<ChangeOutcome> {
  const { db, passwords, settings, now } = deps;
  const problem = passwordProblem(password, isGuessable(user.email, user.name));
  if (problem || typeof password !== 'string') return { kind: 'refused', problem: problem ?? '' };
  const accountLimit = { key: await rateLimitKey(deps, 'password', user.id), limit: settings.LOGIN_TRIES_PER_ACCOUNT };
  const rateLimited = await enforceRateLimits(deps, [accountLimit], 'login');
  if (rateLimited) return rateLimited;
  const hash = await passwords.hash(current, user.password);
  if (hash === 'busy') return busyRefusal;
  if (!passwords.isSame(user.password, hash)) {
    deps.log.info('content-password-wrong', { userId: user.id });
    return { kind: 'wrong' };
  }
  const next = await passwords.hash(password);
  if (next === 'busy') return busyRefusal;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'password.changed',
    subject: ['content-user', user.id],
  });
  if (!(await setPassword(db, user, { newPassword: next, keptSessionId: sessionId }, now(), event)))
    return { kind: 'overtaken' };
  await db.batch(undoAttempt(db, accountLimit.key, null));
  deps.log.info('content-password-changed', { userId: user.id });
  return { kind: 'changed' };
}

const RESET_MS = 3_600_000;
const MAX_RESETS_PER_ADDRESS_HOUR = 3;

/** Mails a reset link. Runs after the response, so that its time does not reveal whether the account exists. */
export async function mailResetLink(deps: Deps, email: string, caller: Caller): Promise<void> {
  const mailId = await queueReset(deps, email, caller);
  if (mailId) await sendMail(deps, mailId);
}

/** Queues a password reset email. Null if there is no such account, or if this address or caller reached its limit. */
async function queueReset(deps: Deps, email: string, caller: Caller): Promise<string | null> {
  const { db, settings, now } = deps;
  const addressLimit = await ipRateLimit(
    deps,
    'reset',
    caller,
    settings.REGISTRATIONS_PER_IP_HOUR,
    settings.REGISTRATIONS_PER_UNKNOWN_IP_HOUR,
  );
  const accountLimit = { key: await rateLimitKey(deps, 'reset', email), limit: MAX_RESETS_PER_ADDRESS_HOUR };
  if (await enforceRateLimits(deps, [accountLimit, addressLimit])) return null;
  const [account] = await findUsersByEmail(db, email);
  if (!account || account.status === 'decoy') return null;
  const [id, token] = [deps.newId(), deps.newSecret()];
  const mailId = `password-reset-${id}`;
  const sealed = await deps.sealer.seal(token, boundTo.mail(mailId));
  await db.batch([
    insertReset(db, { id, tokenHash: await deps.sha256(token), userId: account.id, endsAt: now() + RESET_MS }),
    eventWrite(db, passwordEvent(deps, 'password.reset-asked', account.id)),
    queueMail(
      db,
      { id: mailId, kind: 'password-reset', recipient: account.email, details: { token: sealed, name: account.name } },
      now(),
    ),
  ]);
  return mailId;
}

const passwordEvent = (deps: Deps, action: 'password.reset-asked' | 'password.changed', userId: string) =>
  auditEvent(deps, { accountId: INSTALLATION, action, subject: ['content-user', userId] });

export type ResetOutcome =
  | { kind: 'reset' }
  | { kind: 'over' }
  /** The password is not acceptable; the link can still be used. */
  | { kind: 'refused'; problem: string }
  | TooManyTries;

/** Sets a new password with the token from a reset email. The token works once; every session of the account ends. */
export async function resetPassword(
  deps: Deps,
  token: string,
  password: unknown,
  caller: Caller,
): Promise<ResetOutcome> {
  const { db, settings, now } = deps;
  const addressLimit = await ipRateLimit(
    deps,
    'reset-use',
    caller,
    settings.LOGIN_TRIES_PER_IP,
    settings.LOGIN_TRIES_PER_UNKNOWN_IP,
  );
  const rateLimited = await enforceRateLimits(deps, [addressLimit]);
  if (rateLimited) return rateLimited;
  const tokenHash = await deps.sha256(token);
  const account = await findResetUser(db, tokenHash, now());
  if (!account) return { kind: 'over' };
  const problem = passwordProblem(password, isGuessable(account.email, account.name));
  if (problem || typeof password !== 'string') return { kind: 'refused', problem: problem ?? '' };
  const hash = await deps.passwords.hash(password);
  if (hash === 'busy') return busyRefusal;
  const event = passwordEvent(deps, 'password.changed', account.id);
  if (!(await redeemReset(db, tokenHash, hash, now(), event))) return { kind: 'over' };
  deps.log.info('content-password-reset');
  return { kind: 'reset' };
}
