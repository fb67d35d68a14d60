import { markByHand } from '#worker/data/write-back/unrecorded';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** Note that somebody recorded a payment in the CRM. False: there is no such payment, or a record of ours may be there. */
export async function recordByHand(
  deps: Deps,
  { accountId, userId }: Merchant,
  attemptId: string,
  note: string,
): Promise<boolean> {
  const event = auditEvent(deps, {
    accountId,
    action: 'payment.recorded-by-hand',
    subject: ['payment', attemptId],
    after: { note },
  });
  const isDone = await markByHand(deps.db, { accountId, attemptId, note, by: userId }, deps.now(), event);
  if (isDone) deps.log.info('recorded-by-hand', { accountId, userId, attemptId });
  return isDone;
}
