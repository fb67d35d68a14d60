import { listStaffPasskeys, proveByStaffPasskey } from '#worker/data/merchants/passkeys';
import { proveByPin } from '#worker/data/merchants/proofs';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type ChallengeRequest, passkeysOf } from '#worker/domain/challenges/passkeys';
import type { Merchant } from '#worker/domain/merchants/session';
import { checkPin, type PinOutcome } from './pin.ts';
import { type Answer, credentialOf, newStaffChallenge, purposeOf, readStaffPasskey } from './staff-passkey.ts';

/** Requests one of a logged-in person's own passkeys. */
export async function requestProof(deps: Deps, caller: Merchant): Promise<ChallengeRequest> {
  const passkeys = await listStaffPasskeys(deps.db, caller);
  const { challenge, challengeToken } = await newStaffChallenge(deps, purposeOf('proof', caller));
  return { options: await passkeysOf(deps).signIn(challenge, passkeys.map(credentialOf)), challengeToken };
}

const proofEvent = (deps: Deps, { accountId, sessionId }: Merchant, method: 'passkey' | 'pin') =>
  auditEvent(deps, { accountId, action: 'session.proved', subject: ['session', sessionId], after: { by: method } });

/** Proves a session with a passkey. False if it belongs to another person or session, or was used before. */
export async function provePasskey(deps: Deps, caller: Merchant, answer: Answer): Promise<boolean> {
  const verifiedAnswer = await readStaffPasskey(deps, answer, purposeOf('proof', caller));
  if (verifiedAnswer?.row.userId !== caller.userId || verifiedAnswer.row.accountId !== caller.accountId) return false;
  return proveByStaffPasskey(
    deps.db,
    verifiedAnswer.passkeyUse,
    caller.sessionId,
    deps.now(),
    proofEvent(deps, caller, 'passkey'),
  );
}

/** Proves a session with its person's PIN. */
export async function provePin(deps: Deps, caller: Merchant, pin: string): Promise<PinOutcome> {
  const outcome = await checkPin(deps, caller, pin);
  if (outcome.kind !== 'right') return outcome;
  const isStored = await proveByPin(deps.db, caller.sessionId, deps.now(), proofEvent(deps, caller, 'pin'));
  return isStored ? outcome : { kind: 'wrong', triesLeft: 0 };
}
