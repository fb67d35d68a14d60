import { PROOF_MS, type StepUpWay } from '#shared/contracts/staff/proof';
import { type Factors, findFactors } from '#worker/data/merchants/proofs';
import type { Deps } from '#worker/deps';
import type { LoggedInMerchant, SessionProof } from '#worker/domain/merchants/session';

type Clock = Pick<Deps, 'now'>;

const isRecent = ({ now }: Clock, at: number): boolean => now() - at < PROOF_MS;

/** True if a passkey, the PIN or a mailed code was verified in this session within the last 15 minutes. */
export const isProved = (deps: Clock, { provedAt }: Pick<SessionProof, 'provedAt'>): boolean =>
  provedAt !== null && isRecent(deps, provedAt);

/**
 * Like `isProved`, but only for a passkey or the PIN: access to a person's mail must not be enough to replace their
 * factors.
 */
export const isProvedByFactor = (deps: Clock, caller: Pick<SessionProof, 'proof' | 'provedAt'>): boolean =>
  caller.proof !== 'code' && isProved(deps, caller);

export const hasFactor = ({ hasPasskey, hasPin }: Factors): boolean => hasPasskey || hasPin;

/** The ways in which a person can prove their identity, the simplest first. */
export const stepUpWaysOf = (factors: Factors, isFactorNeeded = false): StepUpWay[] => [
  ...(factors.hasPasskey ? (['passkey'] as const) : []),
  ...(factors.hasPin ? (['pin'] as const) : []),
  ...(hasFactor(factors) ? [] : (['login'] as const)),
  ...(factors.hasOtherAdmin && (isFactorNeeded || !hasFactor(factors)) ? (['admin'] as const) : []),
];

/**
 * The ways to give the proof that an action still requires; null if none. A person without passkey and PIN may act
 * for 15 minutes after a login through the CRM, which has its own factors.
 */
export async function missingProof(deps: Deps, caller: LoggedInMerchant): Promise<StepUpWay[] | null> {
  if (isProved(deps, caller)) return null;
  const factors = await findFactors(deps.db, caller);
  if (caller.beganBy === 'crm' && isRecent(deps, caller.createdAt) && !hasFactor(factors)) return null;
  return stepUpWaysOf(factors);
}
