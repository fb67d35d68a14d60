import { insertNotDuplicates } from '#worker/data/reconciliation/look-alikes';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { listToCheck } from './payments-to-check.ts';

/**
 * Sets aside payments that look alike, with the reason (`note`): they are no longer listed, unless another payment
 * joins them. `over`: they do not form such a group, or do so no longer.
 */
export async function setAsideLookAlikes(
  deps: Deps,
  { accountId, userId }: Merchant,
  paymentIds: string[],
  note: string,
): Promise<{ kind: 'set-aside'; count: number } | { kind: 'over' }> {
  const { lookAlikes } = await listToCheck(deps, accountId);
  const ids = new Set(paymentIds);
  const group = lookAlikes.find(
    (payments) => payments.length === ids.size && payments.every(({ attemptId }) => ids.has(attemptId)),
  );
  const [first] = group ?? [];
  if (!group || !first) return { kind: 'over' };
  const event = auditEvent(deps, {
    accountId,
    action: 'look-alikes.set-aside',
    subject: ['payment', first.attemptId],
    after: { payments: group.length, amountCents: first.cents, note },
  });
  const at = deps.now();
  const rows = group.map(({ attemptId }) => ({ accountId, attemptId, note, resolvedBy: userId, at }));
  if (!(await insertNotDuplicates(deps.db, rows, event))) return { kind: 'over' };
  deps.log.info('look-alikes-set-aside', { accountId, userId, count: group.length });
  return { kind: 'set-aside', count: group.length };
}
