import type { EnrolmentBody } from '#shared/contracts/operators/operator';
import {
  deleteCode,
  deleteOperator,
  findCode,
  insertCode,
  openSession,
  redeemCode,
} from '#worker/data/operators/operators';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import type { ChallengeRequest } from '#worker/domain/challenges/passkeys';
import { passkeysOf } from '#worker/domain/challenges/passkeys';
import {
  type Caller,
  enforceRateLimits,
  ipRateLimit,
  type TooManyTries,
} from '#worker/domain/content/accounts/rate-limit';
import { newOperatorSession, type Operator, sessionEvent } from './session.ts';
import { newChallenge, redeemOperatorChallenge } from './sign-in.ts';

/** How long a code that an operator issued is valid (ms). */
const CODE_MS = 86_400_000;
const ENROL_PURPOSE = 'enrol ';

type Person = { code: string; name: string };
type Code = { codeHash: string; isSetUp: boolean };

/** A valid code for a new operator: the one in the settings, or one that an operator issued. */
async function findValidCode(deps: Deps, code: string): Promise<Code | null> {
  const { OPERATOR_SETUP_CODE } = deps.settings;
  // Both sides are hashed, so that an early exit of the comparison reveals nothing about the code.
  const [codeHash, setUpCodeHash] = await Promise.all([deps.sha256(code), deps.sha256(OPERATOR_SETUP_CODE)]);
  const issuedCode = await findCode(deps.installation, codeHash);
  if (issuedCode?.operatorId != null) return null;
  if (issuedCode) return (issuedCode.endsAt ?? 0) > deps.now() ? { codeHash, isSetUp: false } : null;
  return OPERATOR_SETUP_CODE !== '' && codeHash === setUpCodeHash ? { codeHash, isSetUp: true } : null;
}

export type NewPasskeyOutcome = ({ kind: 'asked' } & ChallengeRequest) | { kind: 'wrong-code' } | TooManyTries;

/** Asks the browser of a person with a code to create a passkey. Tries count before the code is checked. */
export async function requestNewPasskey(
  deps: Deps,
  { code, name }: Person,
  caller: Caller,
): Promise<NewPasskeyOutcome> {
  const { LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP } = deps.settings;
  const limit = await ipRateLimit(deps, 'operator-code', caller, LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP);
  const rateLimited = await enforceRateLimits(deps, [limit], 'login');
  if (rateLimited) return rateLimited;
  if (!(await findValidCode(deps, code))) {
    await countAnonymousRefusal(deps, 'login.refused', '/api/operator/enrolment/options');
    return { kind: 'wrong-code' };
  }
  const id = deps.newId();
  const { challenge, challengeToken } = await newChallenge(deps, `${ENROL_PURPOSE}${id}`);
  return { kind: 'asked', options: await passkeysOf(deps).enrolment(challenge, { id, name }), challengeToken };
}

export type EnrolOutcome = { kind: 'enrolled'; token: string; operatorId: string } | { kind: 'wrong-code' | 'wrong' };

/** Makes a person with a code an operator, and signs them in with the passkey that their browser just created. */
export async function enrol(
  deps: Deps,
  { code, name, credential }: EnrolmentBody,
  challengeToken: string | undefined,
): Promise<EnrolOutcome> {
  const redeemedChallenge = await redeemOperatorChallenge(deps, challengeToken, (subject) =>
    subject.startsWith(ENROL_PURPOSE),
  );
  if (!redeemedChallenge) return { kind: 'wrong' };
  const passkey = await passkeysOf(deps).readEnrolment(credential, redeemedChallenge.challenge);
  if (!passkey) return { kind: 'wrong' };
  const validCode = await findValidCode(deps, code);
  if (!validCode) return { kind: 'wrong-code' };
  const id = redeemedChallenge.subject.slice(ENROL_PURPOSE.length);
  const newOperatorDeps = { ...deps, actor: { ...deps.actor, kind: 'operator' as const, id } };
  const event = auditEvent(newOperatorDeps, {
    accountId: INSTALLATION,
    action: 'operator.enrolled',
    subject: ['operator', id],
    after: { name, by: validCode.isSetUp ? 'set-up code' : 'invitation' },
  });
  const row = { ...passkey, transports: JSON.stringify(passkey.transports) };
  const person = { id, name, createdAt: deps.now() };
  if (!(await redeemCode(deps.installation, validCode, person, row, event))) return { kind: 'wrong-code' };
  deps.log.info('operator-enrolled', { operatorId: id });
  const session = await newOperatorSession(deps, id);
  const passkeyUse = { id: passkey.id, countBefore: passkey.counter, countAfter: passkey.counter };
  const openedEvent = sessionEvent(deps, 'session.opened', session.row);
  if (!(await openSession(deps.installation, passkeyUse, session.row, openedEvent))) return { kind: 'wrong' };
  return { kind: 'enrolled', token: session.token, operatorId: id };
}

/** Issues a code for one more operator. It is shown once and stored as its hash. `endsAt`: UTC ms. */
export async function inviteOperator(deps: Deps, inviter: Operator): Promise<{ code: string; endsAt: number }> {
  const code = deps.newSecret();
  const [codeHash, createdAt] = [await deps.sha256(code), deps.now()];
  const endsAt = createdAt + CODE_MS;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'operator.invited',
    subject: ['operator', inviter.operatorId],
    after: { endsAt },
  });
  await insertCode(deps.installation, { codeHash, invitedBy: inviter.operatorId, createdAt, endsAt }, event);
  return { code, endsAt };
}

/** Withdraws an unused code. False if it was used or has expired. */
export const withdrawCode = (deps: Deps, id: string): Promise<boolean> =>
  deleteCode(
    deps.installation,
    id,
    deps.now(),
    auditEvent(deps, { accountId: INSTALLATION, action: 'operator.invitation-ended', subject: ['operator', ''] }),
  );

/**
 * Removes an operator with their sessions, passkeys and open codes. False if there is no such operator, or it is the
 * only one.
 */
export const removeOperator = (deps: Deps, id: string): Promise<boolean> =>
  deleteOperator(
    deps.installation,
    id,
    auditEvent(deps, { accountId: INSTALLATION, action: 'operator.removed', subject: ['operator', id] }),
  );
