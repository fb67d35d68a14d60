import type { MadePasskey, ShownPasskey } from '#shared/contracts/person-request';
import { findUser } from '#worker/data/content/accounts/accounts';
import {
  countPasskeyUse,
  countRecoveryCodes,
  deleteContentPasskey,
  insertContentPasskey,
  listContentPasskeys,
  redeemRecoveryCode,
  replaceRecoveryCodes,
} from '#worker/data/content/accounts/passkeys';
import { insertContentSession, undoAttempt } from '#worker/data/content/accounts/sessions-and-rate-limits';
import { useChallenge } from '#worker/data/operators/operators';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { ContentPasskeyRow } from '#worker/data/schema/content-accounts';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import {
  type ChallengeRequest,
  issueChallenge,
  passkeysOf,
  redeemIssuedChallenge,
} from '#worker/domain/challenges/passkeys';
import { busyRefusal, enforceRateLimits, rateLimitKey, type TooManyTries } from './rate-limit.ts';
import { type ContentSession, type Member, newContentSession } from './session.ts';

/** Number of recovery codes per account. */
const CODE_COUNT = 8;
const SECOND_STEP = 'content-second ';
const NEW_PASSKEY = 'content-new ';

const credentialOf = ({ id, publicKey, counter, transports }: ContentPasskeyRow) => ({
  id,
  publicKey,
  counter,
  transports: JSON.parse(transports) as string[],
});

type Action =
  | 'content-passkey.added'
  | 'content-passkey.removed'
  | 'recovery-code.used'
  | 'recovery-codes.made'
  | 'second-factor.removed';
export const factorEvent = (deps: Deps, action: Action, userId: string) =>
  auditEvent(deps, { accountId: INSTALLATION, action, subject: ['content-user', userId] });

const issueFactorChallenge = (deps: Deps, subject: string) => issueChallenge(deps, deps.signed.challenge, subject);
const redeemChallenge = (deps: Deps, challengeToken: string | undefined, isExpected: (subject: string) => boolean) =>
  redeemIssuedChallenge(deps, deps.signed.challenge, challengeToken, isExpected, (id, endsAt) =>
    useChallenge(deps.installation, id, endsAt),
  );

/** Binds the first step to the second: a password change in between invalidates the first. */
const firstStepSubject = async (deps: Deps, { id, password }: Member['user']): Promise<string> =>
  `${SECOND_STEP}${id} ${(await deps.sha256(password)).slice(0, 32)}`;

/** Creates the passkey request that follows a correct password. Null if the account has no second factor. */
export async function requestSecondFactor(deps: Deps, user: Member['user']): Promise<ChallengeRequest | null> {
  const passkeys = await listContentPasskeys(deps.db, user.id);
  if (passkeys.length === 0) return null;
  const { challenge, challengeToken } = await issueFactorChallenge(deps, await firstStepSubject(deps, user));
  return { options: await passkeysOf(deps).signIn(challenge, passkeys.map(credentialOf)), challengeToken };
}

type Proof = { credential: ShownPasskey } | { code: string };
export type SecondFactorOutcome = { kind: 'logged-in'; session: ContentSession } | { kind: 'wrong' } | TooManyTries;

/**
 * Finishes a login with a passkey of the account or with a recovery code, which works once. Each first step allows one
 * try. Tries are counted per account, like password tries.
 */
export async function finishLogin(
  deps: Deps,
  proof: Proof,
  challengeToken: string | undefined,
): Promise<SecondFactorOutcome> {
  const { db, now, settings } = deps;
  const redeemedChallenge = await redeemChallenge(deps, challengeToken, (subject) => subject.startsWith(SECOND_STEP));
  const user = redeemedChallenge && (await findUser(db, redeemedChallenge.subject.split(' ')[1] ?? ''));
  if (!user || redeemedChallenge.subject !== (await firstStepSubject(deps, user))) return refuseProof(deps);
  const limit = { key: await rateLimitKey(deps, 'second', user.id), limit: settings.LOGIN_TRIES_PER_ACCOUNT };
  const rateLimited = await enforceRateLimits(deps, [limit], 'login');
  if (rateLimited) return rateLimited;
  const userDeps = { ...deps, actor: { ...deps.actor, kind: 'content' as const, id: user.id } };
  const isAccepted =
    'code' in proof
      ? await redeemRecoveryCode(
          db,
          { userId: user.id, codeHash: await hashOf(deps, user.id, proof.code) },
          now(),
          factorEvent(userDeps, 'recovery-code.used', user.id),
        )
      : await isVerified(deps, user.id, proof.credential, redeemedChallenge.challenge);
  if (!isAccepted) return refuseProof(deps);
  const { session, row, event } = await newContentSession(deps, user);
  const [openedSessions] = await db.batch([
    ...insertContentSession(db, { ...row, secondAt: now() }, event),
    ...undoAttempt(db, limit.key, null),
  ]);
  return openedSessions.length > 0 ? { kind: 'logged-in', session } : refuseProof(deps);
}

async function refuseProof(deps: Deps): Promise<SecondFactorOutcome> {
  deps.log.info('content-second-factor-wrong');
  await countAnonymousRefusal(deps, 'login.refused', '/api/auth/second');
  return { kind: 'wrong' };
}

async function isVerified(deps: Deps, userId: string, credential: ShownPasskey, challenge: string): Promise<boolean> {
  const row = (await listContentPasskeys(deps.db, userId)).find(({ id }) => id === credential.id);
  if (!row) return false;
  const newCounter = await passkeysOf(deps).readSignIn(credential, challenge, credentialOf(row));
  return (
    newCounter !== null &&
    countPasskeyUse(deps.db, { id: row.id, oldCount: row.counter, newCount: newCounter }, deps.now())
  );
}

/** True for an owner who must use a passkey but has not used one in this session. */
export const needsPasskey = ({ settings }: Pick<Deps, 'settings'>, { user, secondAt }: Member): boolean =>
  settings.OWNERS_NEED_PASSKEY && user.role === 'owner' && secondAt === null;

/** The passkeys of an account, and the number of its unused recovery codes. */
export async function viewSecondFactors({ db }: Deps, { user }: Member) {
  const [passkeys, codes] = await Promise.all([listContentPasskeys(db, user.id), countRecoveryCodes(db, user.id)]);
  return { passkeys, codes };
}

export type NewPasskeyOutcome = ({ kind: 'asked' } & ChallengeRequest) | { kind: 'wrong' | 'not-shown' } | TooManyTries;

/**
 * Starts the creation of a passkey. Requires the current password, since a stolen session must not be enough. If the
 * account already has a passkey, the session must have used it.
 */
export async function requestNewPasskey(deps: Deps, member: Member, password: string): Promise<NewPasskeyOutcome> {
  const { user, sessionId } = member;
  const passkeys = await listContentPasskeys(deps.db, user.id);
  if (passkeys.length > 0 && member.secondAt === null) return { kind: 'not-shown' };
  const limit = { key: await rateLimitKey(deps, 'password', user.id), limit: deps.settings.LOGIN_TRIES_PER_ACCOUNT };
  const rateLimited = await enforceRateLimits(deps, [limit], 'login');
  if (rateLimited) return rateLimited;
  const hash = await deps.passwords.hash(password, user.password);
  if (hash === 'busy') return busyRefusal;
  if (!deps.passwords.isSame(user.password, hash)) return { kind: 'wrong' };
  const { challenge, challengeToken } = await issueFactorChallenge(
    deps,
    `${NEW_PASSKEY}${user.id} ${sessionId} ${passkeys.length}`,
  );
  const person = { id: user.id, name: user.email };
  const options = await passkeysOf(deps).enrolment(challenge, person, passkeys.map(credentialOf));
  return { kind: 'asked', options, challengeToken };
}

/** Stores the passkey that a browser has created. With the first one, returns recovery codes, shown only once. */
export async function addPasskey(
  deps: Deps,
  { user, sessionId }: Member,
  { label, credential }: { label: string; credential: MadePasskey },
  challengeToken: string | undefined,
): Promise<{ codes: string[] } | null> {
  const prefix = `${NEW_PASSKEY}${user.id} ${sessionId} `;
  const redeemedChallenge = await redeemChallenge(deps, challengeToken, (subject) => subject.startsWith(prefix));
  const passkey = redeemedChallenge && (await passkeysOf(deps).readEnrolment(credential, redeemedChallenge.challenge));
  if (!passkey) return null;
  const knownPasskeys = Number(redeemedChallenge.subject.slice(prefix.length));
  const { codes, hashes } = knownPasskeys === 0 ? await createCodes(deps, user.id) : { codes: [], hashes: [] };
  const { id, publicKey, counter } = passkey;
  const transports = JSON.stringify(passkey.transports);
  const row = { id, userId: user.id, publicKey, counter, transports, label, createdAt: deps.now(), usedAt: null };
  const event = factorEvent(deps, 'content-passkey.added', user.id);
  const isStored = await insertContentPasskey(
    deps.db,
    row,
    { expectedCount: knownPasskeys, codeHashes: hashes, sessionId },
    event,
  );
  return isStored ? { codes } : null;
}

/** Replaces the recovery codes. Null if no second factor was used in this session. */
export async function makeRecoveryCodes(deps: Deps, { user, secondAt }: Member): Promise<string[] | null> {
  if (secondAt === null) return null;
  const { codes, hashes } = await createCodes(deps, user.id);
  const event = factorEvent(deps, 'recovery-codes.made', user.id);
  await replaceRecoveryCodes(deps.db, user.id, hashes, deps.now(), event);
  return codes;
}

export type RemoveOutcome = 'removed' | 'not-shown' | 'not-removed';

/** Removes a member's passkey. The session must have used one; an owner who needs a passkey keeps the last one. */
export async function removePasskey(deps: Deps, { user, secondAt }: Member, id: string): Promise<RemoveOutcome> {
  if (secondAt === null) return 'not-shown';
  const mustKeepOne = deps.settings.OWNERS_NEED_PASSKEY && user.role === 'owner';
  const event = factorEvent(deps, 'content-passkey.removed', user.id);
  return (await deleteContentPasskey(deps.db, { userId: user.id, id }, mustKeepOne, deps.now(), event))
    ? 'removed'
    : 'not-removed';
}

/** Normalizes a code such as `k3f9-x2vb-7qpd`. */
const normalize = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');
const hashOf = (deps: Deps, userId: string, code: string): Promise<string> =>
  deps.sha256(`recovery ${userId} ${normalize(code)}`);

async function createCodes(deps: Deps, userId: string): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: CODE_COUNT }, () =>
    normalize(deps.newSecret())
      .slice(0, 12)
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
  return { codes, hashes: await Promise.all(codes.map((code) => hashOf(deps, userId, code))) };
}
