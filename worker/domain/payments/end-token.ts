import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { refuseToken } from '#worker/data/payments/refused-tokens';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { type AttemptAnswer, answerFor, upToDate } from './earlier-attempts.ts';

/**
 * Outcomes that no other request with the token can belie: what an attempt answers, and an ended link and the limits, which
 * the claim looks at itself. Any other says that nothing was charged, for a reason that may be over a moment later.
 */
const STANDING = [
  ...['approved', 'submitted', 'declined', 'pending', 'already-paid', 'token-refused', 'at-the-desk'],
  ...['bad-signature', 'not-found', 'link-ended', 'too-many'],
];

/**
 * What a payer hears whose payment was not tried. The same form may be on its way twice: before they read that nothing was
 * charged, its card token is refused for the other request too. If that one was faster, its payment answers.
 */
export async function endToken<Refusal extends { kind: string }>(
  deps: Deps,
  tokenHash: string,
  payId: string,
  refusal: Refusal,
): Promise<Refusal | AttemptAnswer> {
  if (STANDING.includes(refusal.kind)) return refusal;
  try {
    const faster = await refuseToken(deps.db, tokenHash, payId, deps.now());
    return faster ? answerFor(await upToDate(deps, faster), true) : refusal;
  } catch (cause) {
    if (!isNoSuchClinic(cause)) deps.log.info('token-not-refused', { clinic: deps.clinic, cause: causeOf(cause) });
    return refusal;
  }
}
