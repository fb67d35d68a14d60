import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { refuseToken } from '#worker/data/payments/refused-tokens';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { type AttemptAnswer, answerFor, upToDate } from './earlier-attempts.ts';

/**
 * The same form may be on its way twice. Before a payer reads that nothing was charged, its card token is refused for the
 * other request too. Null: so it is; else the answer of the payment that was faster.
 */
export async function endToken(deps: Deps, tokenHash: string, payId: string): Promise<AttemptAnswer | null> {
  try {
    const faster = await refuseToken(deps.db, tokenHash, payId, deps.now());
    return faster && answerFor(await upToDate(deps, faster), true);
  } catch (cause) {
    if (!isNoSuchClinic(cause)) deps.log.info('token-not-refused', { clinic: deps.clinic, cause: causeOf(cause) });
    return null;
  }
}
