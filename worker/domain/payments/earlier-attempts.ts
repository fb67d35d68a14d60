import { LIVE } from '#worker/data/payments/attempts';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { inquirePaymentStatus } from './inquire-status.ts';

/** What an attempt that was made already means for whoever pays now. */
export type AttemptAnswer =
  | { kind: 'approved' | 'submitted' | 'declined'; attempt: Attempt }
  | { kind: 'pending' | 'already-paid' | 'token-refused' | 'at-the-desk' };

/** What earlier attempts on this invoice, or with this very token or key, already decide. */
export async function answerFromEarlier(
  deps: Deps,
  payable: Payable,
  attempts: Attempt[],
  tokenHash: string,
  attemptKey: string | undefined,
): Promise<AttemptAnswer | null> {
  const { accountId, invoiceId } = payable.link;
  const sameToken = attempts.find((attempt) => attempt.tokenHash === tokenHash);
  if (sameToken && (sameToken.accountId !== accountId || sameToken.invoiceId !== invoiceId))
    return { kind: 'token-refused' };
  if (sameToken) return answerFor(await upToDate(deps, sameToken), true);
  const standing = await standingAttempt(deps, attempts, payable.invoice.collection);
  return standing && answerFor(standing, attemptKey !== undefined && standing.attemptKey === attemptKey);
}

/** The attempt that keeps an invoice closed to every other at this moment, by the gateway's own word where it has one. */
export async function standingAttempt(deps: Deps, attempts: Attempt[], collection: number): Promise<Attempt | null> {
  const live = attempts.find((attempt) => LIVE.includes(attempt.state) && attempt.collection === collection);
  if (!live) return null;
  const now = await upToDate(deps, live);
  return LIVE.includes(now.state) ? now : null;
}

/** The next look at an invoice settles what is open on it, if the gateway can tell. If it cannot be written, it stays open. */
async function upToDate(deps: Deps, attempt: Attempt): Promise<Attempt> {
  if (attempt.state !== 'unknown' && attempt.state !== 'sent') return attempt;
  try {
    return await inquirePaymentStatus(deps, attempt);
  } catch (cause) {
    deps.log.alert('status-inquiry-failed', { attemptId: attempt.id, cause: causeOf(cause) });
    return attempt;
  }
}

/** What an attempt as it stands means for whoever asks; `isSame` when it is the asker's own. */
export function answerFor(attempt: Attempt, isSame: boolean): AttemptAnswer {
  switch (attempt.state) {
    case 'approved':
      return isSame ? { kind: 'approved', attempt } : { kind: 'already-paid' };
    case 'declined':
    case 'returned':
      return { kind: 'declined', attempt };
    case 'rejected':
    case 'not_charged':
    case 'cancelled':
    case 'timed_out':
    case 'voided':
    case 'refunded':
      return { kind: 'token-refused' };
    case 'pending':
      return isSame ? { kind: 'submitted', attempt } : { kind: 'pending' };
    case 'sent':
    case 'unknown':
    case 'needs_human':
      return attempt.channel === 'terminal' ? { kind: 'at-the-desk' } : { kind: 'pending' };
  }
}
