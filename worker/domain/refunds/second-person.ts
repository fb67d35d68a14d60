import { queueMailToStaff } from '#worker/data/mail/outbox';
import { findMember } from '#worker/data/merchants/team';
import { findAllowance, REFUND_ROLES, type ReversalLimit } from '#worker/data/refunds/allowance';
import { findSecondPerson, insertApproval } from '#worker/data/refunds/approvals';
import type { ApprovalRow } from '#worker/data/schema/proofs';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { nameOf } from '#worker/domain/merchants/team';

/** The time for which a refund or void waits for a second person (ms). */
export const APPROVAL_WAIT_MS = 7 * 86_400_000;

export const approvalEvent = (
  deps: Deps,
  action: 'approval.asked' | 'approval.decided',
  {
    accountId,
    attemptId,
    kind,
    amountCents,
    reason,
  }: Omit<ApprovalRow, 'state' | 'decidedBy' | 'decidedAt' | 'decisionNote' | 'nextTryAt'>,
  state: ApprovalRow['state'],
  { isWithdrawn = false, note = '' }: { isWithdrawn?: boolean; note?: string } = {},
) =>
  auditEvent(deps, {
    accountId,
    action,
    subject: ['payment', attemptId],
    after: { kind, amountCents, reason, state, ...(isWithdrawn && { withdrawn: true }), ...(note && { note }) },
  });

type ApprovalRequest = {
  /** The requester. */
  merchant: Merchant;
  attempt: Attempt;
  request: Pick<ApprovalRow, 'kind' | 'reason' | 'requestKey'>;
  amountCents: number;
  mode: 'as-set' | 'ask';
  /** The requester's limit; null for no limit. */
  limit: ReversalLimit | null;
};

/**
 * Makes a refund or void wait for a second person, if it exceeds the account's limit or the requester wants it
 * (`mode`). All earlier refunds of the payment count, so that splitting a refund does not avoid the approval. Null if
 * no approval is needed. `mailIds`: the emails to the possible approvers; none for a repeated request.
 */
export async function askSecondPerson(
  deps: Deps,
  { merchant, attempt, request, amountCents, mode, limit }: ApprovalRequest,
): Promise<
  | { kind: 'waiting'; id: string; mailIds: string[] }
  | { kind: 'not-offered'; why: string }
  | { kind: 'above-allowance'; allowedCents: number }
  | null
> {
  const secondPerson = await findSecondPerson(deps.db, merchant);
  const isNeeded = secondPerson.cents !== null && attempt.refundedCents + amountCents > secondPerson.cents;
  if (mode === 'as-set' && !(isNeeded && secondPerson.isThere)) return null;
  if (!secondPerson.isThere) return { kind: 'not-offered', why: 'No one else in this account could approve it.' };
  const requestedAt = deps.now();
  const { accountId, userId: requestedBy } = merchant;
  const row = {
    id: deps.newId(),
    accountId,
    attemptId: attempt.id,
    kind: request.kind,
    amountCents,
    reason: request.reason,
    requestKey: request.requestKey,
    requestedBy,
    requestedAt,
    endsAt: requestedAt + APPROVAL_WAIT_MS,
  };
  const requester = await findMember(deps.db, merchant);
  const mail = {
    id: `approval-asked-${row.id}`,
    kind: 'approval-asked' as const,
    details: { what: row.kind, requestedBy: requester ? nameOf(requester) : '', endsAt: String(row.endsAt) },
  };
  const event = approvalEvent(deps, 'approval.asked', row, 'waiting');
  const { storedApproval: existing, mailIds } = await insertApproval(deps.db, row, mail, event, limit);
  if (existing?.attemptId === attempt.id && existing.state === 'waiting')
    return { kind: 'waiting', id: existing.id, mailIds };
  // Without an existing approval, another request by the same user may have used up the limit.
  const allowance = existing || !limit ? null : await findAllowance(deps.db, limit);
  if (allowance !== null && allowance < amountCents) return { kind: 'above-allowance', allowedCents: allowance };
  const reason = existing
    ? 'A second person did not approve it.'
    : 'It was already requested, and is waiting for a second person.';
  return { kind: 'not-offered', why: reason };
}

/**
 * Queues emails about an approval. If it waits again, they go to the possible approvers. If it ended without a refund,
 * they go to all staff who may refund, with the reason if it is known.
 */
export async function notifyApprovalUndone(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { id, accountId, kind, requestedBy, endsAt, decidedAt }: ApprovalRow,
  state: 'waiting' | 'ended',
  reason = '',
): Promise<void> {
  const requester = await findMember(db, { accountId, userId: requestedBy });
  const details = { what: kind, requestedBy: requester ? nameOf(requester) : '', endsAt: String(endsAt) };
  const staff = { accountId, roles: REFUND_ROLES };
  await (state === 'waiting'
    ? // An approval may return to waiting more than once, so the email's id contains the time of the decision.
      queueMailToStaff(
        db,
        { ...staff, exceptUserId: requestedBy },
        { id: `approval-asked-${id}-${decidedAt}`, kind: 'approval-asked', details },
        now(),
      )
    : queueMailToStaff(
        db,
        staff,
        { id: `approval-ended-${id}`, kind: 'approval-ended', details: { ...details, ...(reason && { why: reason }) } },
        now(),
      ));
}
