import type { ShownPasskey } from '#shared/contracts/person-request';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { findStaffPasskey, type PasskeyUse, useStaffChallenge, useStaffPasskey } from '#worker/data/merchants/passkeys';
import type { StaffPasskeyRow } from '#worker/data/schema/proofs';
import type { Deps } from '#worker/deps';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import {
  type AnsweredChallenge,
  type ChallengeRequest,
  issueChallenge,
  passkeysOf,
  redeemIssuedChallenge,
} from '#worker/domain/challenges/passkeys';
import {
  type Caller,
  enforceRateLimits,
  ipRateLimit,
  type TooManyTries,
} from '#worker/domain/content/accounts/rate-limit';
import { type Merchant, type OpenSession, openSession } from '#worker/domain/merchants/session';

/** A browser's answer to a challenge, with the cookie of that challenge. */
export type Answer = { response: ShownPasskey; challengeToken: string | undefined };

export const LOGIN_PURPOSE = 'login';
/** The purpose of a challenge, for one person in one session. */
export const purposeOf = (purpose: 'proof' | 'new-passkey', { sessionId, accountId, userId }: Merchant): string =>
  `${purpose} ${accountId} ${userId} ${sessionId}`;

export const newStaffChallenge = (deps: Deps, purpose: string) =>
  issueChallenge(deps, deps.signed.staffChallenge, purpose);

/**
 * Uses up a challenge of the current clinic. Null if it is not ours, expired, for another purpose, or already answered.
 */
export const redeemStaffChallenge = (
  deps: Deps,
  challengeToken: string | undefined,
  purpose: string,
): Promise<AnsweredChallenge | null> =>
  redeemIssuedChallenge(
    deps,
    deps.signed.staffChallenge,
    challengeToken,
    (subject) => subject === purpose,
    (challenge, endsAt) => useStaffChallenge(deps.db, challenge, endsAt),
  );

/** A row in the form that the passkey verifier expects. */
export const credentialOf = ({ id, publicKey, counter, transports }: StaffPasskeyRow) => ({
  id,
  publicKey,
  counter,
  transports: JSON.parse(transports) as string[],
});

/**
 * The passkey of the current clinic that answered its challenge. Null unless it is valid for this challenge and
 * purpose.
 */
export async function readStaffPasskey(
  deps: Deps,
  { response, challengeToken }: Answer,
  purpose: string,
): Promise<{ row: StaffPasskeyRow; passkeyUse: PasskeyUse } | null> {
  const redeemedChallenge = await redeemStaffChallenge(deps, challengeToken, purpose);
  const row = redeemedChallenge && (await findStaffPasskey(deps.db, response.id));
  if (!row) return null;
  const newCounter = await passkeysOf(deps).readSignIn(response, redeemedChallenge.challenge, credentialOf(row));
  return newCounter === null
    ? null
    : { row, passkeyUse: { id: row.id, countBefore: row.counter, countAfter: newCounter } };
}

/** Requests any passkey for this host from the browser. */
export async function requestLogin(deps: Deps): Promise<ChallengeRequest> {
  const { challenge, challengeToken } = await newStaffChallenge(deps, LOGIN_PURPOSE);
  return { options: await passkeysOf(deps).signIn(challenge), challengeToken };
}

export type PasskeyLoginOutcome = { kind: 'logged-in'; session: OpenSession } | { kind: 'wrong' } | TooManyTries;

/**
 * Logs in with a passkey. Its handle is a capability of the clinic, so forged input reaches no clinic's object. All
 * wrong answers get the same refusal.
 */
export async function logInByPasskey(
  deps: Deps,
  answer: Answer,
  caller: Caller,
  label: string,
): Promise<PasskeyLoginOutcome> {
  const { LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP } = deps.settings;
  const limit = await ipRateLimit(deps, 'staff-passkey', caller, LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP);
  const rateLimited = await enforceRateLimits(deps, [limit], 'login');
  if (rateLimited) return rateLimited;
  const session = await openPasskeySession(deps, answer, label);
  if (session) return { kind: 'logged-in', session };
  deps.log.info('login-failed', { reason: 'passkey' });
  await countAnonymousRefusal(deps, 'login.refused', '/api/session/passkey');
  return { kind: 'wrong' };
}

async function openPasskeySession(deps: Deps, answer: Answer, label: string): Promise<OpenSession | null> {
  const handle = passkeysOf(deps).personOf(answer.response);
  const clinicDeps = depsOfCapability(deps, handle);
  const verifiedAnswer = clinicDeps && (await unlessErased(readStaffPasskey(clinicDeps, answer, LOGIN_PURPOSE)));
  if (!clinicDeps || !verifiedAnswer || verifiedAnswer.row.handle !== handle) return null;
  if (!(await useStaffPasskey(clinicDeps.db, verifiedAnswer.passkeyUse, clinicDeps.now()))) return null;
  const { accountId, userId } = verifiedAnswer.row;
  const session = await openSession(clinicDeps, { accountId, userId }, { beganBy: 'passkey', label });
  if (session) deps.log.info('staff-logged-in', { accountId, userId, by: 'passkey' });
  return session;
}
