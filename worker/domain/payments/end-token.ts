import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { refuseForm, type SentForm } from '#worker/data/payments/refused-tokens';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { type AttemptAnswer, answerFor, upToDate } from './earlier-attempts.ts';
import type { PayOutcome } from './pay-outcome.ts';

/** An answer that carries its attempt speaks of the form's own payment, which holds its card token already. */
type OwnAnswer = Extract<PayOutcome, { attempt: unknown }>;

const isOwn = (outcome: PayOutcome): outcome is OwnAnswer => 'attempt' in outcome;

/**
 * The answer to a payer whose payment was not tried. The same form may be on its way twice: before they read that
 * nothing was charged, its card token and its key are refused for the other request too. If that one was faster, its
 * payment answers. Without the write nothing may be promised.
 */
export async function endToken(deps: Deps, form: SentForm, outcome: PayOutcome): Promise<PayOutcome> {
  if (isOwn(outcome)) return outcome;
  try {
    const faster = await refuseForm(deps.db, form, deps.now());
    return faster && outcome.kind !== 'pending' ? await answerOf(deps, faster) : outcome;
  } catch (cause) {
    // A clinic that is gone has no payment that could follow.
    if (isNoSuchClinic(cause)) return outcome;
    deps.log.info('form-not-refused', { clinic: deps.clinic, cause: causeOf(cause) });
    return outcome.kind === 'not-started' ? { kind: outcome.kind, isOpen: true } : { kind: 'pending' };
  }
}

const answerOf = async (deps: Deps, attempt: Parameters<typeof answerFor>[0]): Promise<AttemptAnswer> =>
  answerFor(await upToDate(deps, attempt), true);
