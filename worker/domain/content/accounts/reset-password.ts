import { passwordProblem } from '#shared/password-rule';
import { eventWrite } from '#worker/data/audit/events';
import { findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { findResetUser, insertReset, redeemReset } from '#worker/data/content/accounts/invitations';
import { oweMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { sendMail } from '#worker/domain/mail/send';
import { boundTo } from '#worker/security/token-cipher';
import { isGuessable } from './common-passwords.ts';
import { busy, type Caller, keyOf, perAddress, type Refused, take } from './rate-limit.ts';

const RESET_MS = 3_600_000;
const PER_ADDRESS_HOUR = 3;

/**
 * Mail a reset link. Run it after the answer: neither the answer nor its time then tells whether the account exists.
 */
export async function mailReset(deps: Deps, email: string, caller: Caller): Promise<void> {
  const mailId = await askForReset(deps, email, caller);
  if (mailId) await sendMail(deps, mailId);
}

/** Owe a password reset mail. Null: there is no such account, or enough mails went to this address. */
async function askForReset(deps: Deps, email: string, caller: Caller): Promise<string | null> {
  const { db, settings, now } = deps;
  const address = await perAddress(
    deps,
    'reset',
    caller,
    settings.REGISTRATIONS_PER_IP_HOUR,
    settings.REGISTRATIONS_PER_UNKNOWN_IP_HOUR,
  );
  const own = { key: await keyOf(deps, 'reset', email), limit: PER_ADDRESS_HOUR };
  if (await take(deps, [own, address])) return null;
  const [account] = await findUsersByEmail(db, email);
  if (!account || account.status === 'decoy') return null;
  const [id, token] = [deps.newId(), deps.newSecret()];
  const mailId = `password-reset-${id}`;
  const sealed = await deps.sealer.seal(token, boundTo.mail(mailId));
  await db.batch([
    insertReset(db, { id, tokenHash: await deps.sha256(token), userId: account.id, endsAt: now() + RESET_MS }),
    eventWrite(db, passwordEvent(deps, 'password.reset-asked', account.id)),
    oweMail(
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
  /** The password cannot be taken; the link can still be used. */
  | { kind: 'refused'; problem: string }
  | Refused;

/** Set a new password with the token of a reset mail. It works once, and ends every session of the account. */
export async function resetPassword(
  deps: Deps,
  token: string,
  password: unknown,
  caller: Caller,
): Promise<ResetOutcome> {
  const { db, settings, now } = deps;
  const address = await perAddress(
    deps,
    'reset-use',
    caller,
    settings.LOGIN_TRIES_PER_IP,
    settings.LOGIN_TRIES_PER_UNKNOWN_IP,
  );
  const refused = await take(deps, [address]);
  if (refused) return refused;
  const tokenHash = await deps.sha256(token);
  const account = await findResetUser(db, tokenHash, now());
  if (!account) return { kind: 'over' };
  const problem = passwordProblem(password, isGuessable(account.email, account.name));
  if (problem || typeof password !== 'string') return { kind: 'refused', problem: problem ?? '' };
  const hash = await deps.passwords.hash(password);
  if (hash === 'busy') return busy;
  const event = passwordEvent(deps, 'password.changed', account.id);
  if (!(await redeemReset(db, tokenHash, hash, now(), event))) return { kind: 'over' };
  deps.log.info('content-password-reset');
  return { kind: 'reset' };
}
