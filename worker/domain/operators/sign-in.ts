import type { PasskeyBody } from '#shared/contracts/operators/operator';
import {
  findPasskey,
  listPasskeys,
  openSession,
  type PasskeyUse,
  proveSession,
  useChallenge,
} from '#worker/data/operators/operators';
import type { PasskeyRow } from '#worker/data/schema/operators';
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
import { newOperatorSession, type Operator, sessionEvent } from './session.ts';

/** Issues a new challenge for an operator. */
export const newChallenge = (deps: Deps, subject: string) => issueChallenge(deps, deps.signed.challenge, subject);

/** Uses up an operator's challenge. */
export const redeemOperatorChallenge = (
  deps: Deps,
  challengeToken: string | undefined,
  isExpected: (subject: string) => boolean,
): Promise<AnsweredChallenge | null> =>
  redeemIssuedChallenge(deps, deps.signed.challenge, challengeToken, isExpected, (challenge, endsAt) =>
    useChallenge(deps.installation, challenge, endsAt),
  );

const SIGN_IN = 'sign-in';
const proofOf = ({ id }: Operator) => `proof ${id}`;

/** A row in the form that the passkey verifier expects. */
const credentialOf = ({ id, publicKey, counter, transports }: PasskeyRow) => ({
  id,
  publicKey,
  counter,
  transports: JSON.parse(transports) as string[],
});

/** Requests any passkey of this installation from the browser. */
export async function requestPasskey(deps: Deps): Promise<ChallengeRequest> {
  const { challenge, challengeToken } = await newChallenge(deps, SIGN_IN);
  return { options: await passkeysOf(deps).signIn(challenge), challengeToken };
}

/** Requests one of a signed-in operator's own passkeys again. */
export async function requestProof(deps: Deps, operator: Operator): Promise<ChallengeRequest> {
  const passkeys = await listPasskeys(deps.installation, operator.operatorId);
  const { challenge, challengeToken } = await newChallenge(deps, proofOf(operator));
  return { options: await passkeysOf(deps).signIn(challenge, passkeys.map(credentialOf)), challengeToken };
}

type Answer = { credential: PasskeyBody['credential']; challengeToken: string | undefined };
type VerifiedPasskey = { row: PasskeyRow; passkeyUse: PasskeyUse };

/** The passkey that answered its challenge. Null unless it is valid for this challenge, purpose and origin. */
async function readPasskey(
  deps: Deps,
  { credential, challengeToken }: Answer,
  purpose: string,
): Promise<VerifiedPasskey | null> {
  const redeemedChallenge = await redeemOperatorChallenge(deps, challengeToken, (subject) => subject === purpose);
  if (!redeemedChallenge) return null;
  const row = await findPasskey(deps.installation, credential.id);
  if (!row) return null;
  const newCounter = await passkeysOf(deps).readSignIn(credential, redeemedChallenge.challenge, credentialOf(row));
  return newCounter === null
    ? null
    : { row, passkeyUse: { id: row.id, countBefore: row.counter, countAfter: newCounter } };
}

export type SignInOutcome = { kind: 'signed-in'; token: string; operatorId: string } | { kind: 'wrong' } | TooManyTries;

/** Signs in with a passkey. All wrong answers get the same refusal. */
export async function signIn(deps: Deps, answer: Answer, caller: Caller): Promise<SignInOutcome> {
  const { settings } = deps;
  const limits = [settings.LOGIN_TRIES_PER_IP, settings.LOGIN_TRIES_PER_UNKNOWN_IP] as const;
  const rateLimited = await enforceRateLimits(deps, [await ipRateLimit(deps, 'operator', caller, ...limits)], 'login');
  if (rateLimited) return rateLimited;
  const verifiedPasskey = await readPasskey(deps, answer, SIGN_IN);
  if (verifiedPasskey) {
    const { token, row } = await newOperatorSession(deps, verifiedPasskey.row.operatorId);
    const event = sessionEvent(deps, 'session.opened', row);
    if (await openSession(deps.installation, verifiedPasskey.passkeyUse, row, event)) {
      deps.log.info('operator-signed-in', { operatorId: row.operatorId });
      return { kind: 'signed-in', token, operatorId: row.operatorId };
    }
  }
  deps.log.info('operator-refused', {});
  await countAnonymousRefusal(deps, 'login.refused', '/api/operator/session');
  return { kind: 'wrong' };
}

/** Verifies the passkey again, so that the session may act. False if it belongs to another operator or session. */
export async function proveOperator(deps: Deps, operator: Operator, answer: Answer): Promise<boolean> {
  const verifiedPasskey = await readPasskey(deps, answer, proofOf(operator));
  if (verifiedPasskey?.row.operatorId !== operator.operatorId) return false;
  return proveSession(deps.installation, verifiedPasskey.passkeyUse, operator.id, deps.now());
}
