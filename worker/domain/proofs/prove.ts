import { listStaffPasskeys, proveByStaffPasskey } from '#worker/data/merchants/passkeys';
import { proveByPin } from '#worker/data/merchants/proofs';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type ChallengeRequest, passkeysOf } from '#worker/domain/challenges/passkeys';
import type { Merchant } from '#worker/domain/merchants/session';
import { type PinOutcome, tryPin } from './pin.ts';
import { type Answer, newStaffChallenge, purposeOf, readRow, readStaffPasskey } from './staff-passkey.ts';

/** Requests one of a logged-in person's own passkeys. */
export async function askForProof(deps: Deps, you: Merchant): Promise<ChallengeRequest> {
  const passkeys = await listStaffPasskeys(deps.db, you);
  const { challenge, challengeToken } = await newStaffChallenge(deps, purposeOf('proof', you));
  return { options: await passkeysOf(deps).signIn(challenge, passkeys.map(readRow)), challengeToken };
}

const provedEvent = (deps: Deps, { accountId, sessionId }: Merchant, method: 'passkey' | 'pin') =>
  auditEvent(deps, { accountId, action: 'session.proved', subject: ['session', sessionId], after: { by: method } });

/** Proves a session with a passkey. False if it belongs to another person or session, or was used before. */
export async function provePasskey(deps: Deps, you: Merchant, answer: Answer): Promise<boolean> {
  const verified = await readStaffPasskey(deps, answer, purposeOf('proof', you));
  if (verified?.row.userId !== you.userId || verified.row.accountId !== you.accountId) return false;
  return proveByStaffPasskey(deps.db, verified.shown, you.sessionId, deps.now(), provedEvent(deps, you, 'passkey'));
}

/** Proves a session with its person's PIN. */
export async function provePin(deps: Deps, you: Merchant, pin: string): Promise<PinOutcome> {
  const outcome = await tryPin(deps, you, pin);
  if (outcome.kind !== 'right') return outcome;
  const isStored = await proveByPin(deps.db, you.sessionId, deps.now(), provedEvent(deps, you, 'pin'));
  return isStored ? outcome : { kind: 'wrong', triesLeft: 0 };
}
