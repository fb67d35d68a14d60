import { PROOF_MS, type StepUpWay } from '#shared/contracts/staff/proof';
import { type Factors, findFactors } from '#worker/data/merchants/proofs';
import type { Deps } from '#worker/deps';
import type { LoggedIn, SessionProof } from '#worker/domain/merchants/session';

type Clock = Pick<Deps, 'now'>;

const isRecent = ({ now }: Clock, at: number): boolean => now() - at < PROOF_MS;

/** Whether a passkey, the PIN or a mailed code was shown in this session within the last 15 minutes. */
export const isProved = (deps: Clock, { provedAt }: Pick<SessionProof, 'provedAt'>): boolean =>
  provedAt !== null && isRecent(deps, provedAt);

/**
 * The same by a passkey or the PIN alone: whoever only reads the person's mail must not replace what they prove
 * themselves by.
 */
export const isProvedByFactor = (deps: Clock, you: Pick<SessionProof, 'proof' | 'provedAt'>): boolean =>
  you.proof !== 'code' && isProved(deps, you);

export const hasFactor = ({ hasPasskey, hasPin }: Factors): boolean => hasPasskey || hasPin;

/** What a person may do to prove themselves, the simplest first. */
export const waysOf = (factors: Factors, isFactorNeeded = false): StepUpWay[] => [
  ...(factors.hasPasskey ? (['passkey'] as const) : []),
  ...(factors.hasPin ? (['pin'] as const) : []),
  ...(hasFactor(factors) ? [] : (['login'] as const)),
  ...(factors.hasOtherAdmin && (isFactorNeeded || !hasFactor(factors)) ? (['admin'] as const) : []),
];

/**
 * What a person still has to do before an act that takes a proof. Null: nothing. Who has set neither passkey nor PIN may
 * act for 15 minutes after a login through the CRM, which has factors of its own.
 */
export async function missingProof(deps: Deps, you: LoggedIn): Promise<StepUpWay[] | null> {
  if (isProved(deps, you)) return null;
  const factors = await findFactors(deps.db, you);
  if (you.beganBy === 'crm' && isRecent(deps, you.createdAt) && !hasFactor(factors)) return null;
  return waysOf(factors);
}
