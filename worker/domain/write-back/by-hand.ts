import { findReversalWrite, markPaymentByHand, markReversalByHand } from '#worker/data/write-back/unrecorded';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/**
 * Note that somebody recorded a payment, or what was given back of one, in the CRM. False: there is no such entry in the
 * list, or a record of ours may be there.
 */
export async function recordByHand(
  deps: Deps,
  { accountId, userId }: Merchant,
  id: string,
  note: string,
): Promise<boolean> {
  const reversed = await findReversalWrite(deps.db, accountId, id);
  const attemptId = reversed ?? id;
  const event = auditEvent(deps, {
    accountId,
    action: 'payment.recorded-by-hand',
    subject: ['payment', attemptId],
    after: { note, ...(reversed && { refund: true }) },
  });
  const mark = reversed === null ? markPaymentByHand : markReversalByHand;
  const isDone = await mark(deps.db, { accountId, id, note, by: userId }, deps.now(), event);
  if (isDone) deps.log.info('recorded-by-hand', { accountId, userId, attemptId });
  return isDone;
}
