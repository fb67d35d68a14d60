import type { Approval } from '#shared/contracts/staff/proof';
import { hasRight } from '#shared/contracts/staff/team-values';
import { decimalFromCents, formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { findMember } from '#worker/data/merchants/team';
import {
  cannotSucceed,
  type DueApproval,
  decideApproval,
  findApproval,
  hasFailed,
  type ListedApproval,
  listApprovals,
  listDueApprovals,
  markCarriedOut,
  postponeApproval,
  undoApproval,
} from '#worker/data/refunds/approvals';
import type { ApprovalRow } from '#worker/data/schema/proofs';
import type { ReversalState } from '#worker/data/schema/refunds';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import type { StateRule } from '#worker/domain/state-rule';
import { causeOf } from '#worker/log';
import { type ReversePaymentOutcome, reversePayment } from './refund.ts';
import { APPROVAL_WAIT_MS, approvalEvent, notifyApprovalUndone } from './second-person.ts';

const iso = (at: number) => new Date(at).toISOString();

const presentApproval = (row: ListedApproval, viewer: Merchant, now: number): Approval => {
  const state = row.state === 'waiting' && row.endsAt <= now ? 'ended' : row.state;
  const isOwn = row.requestedBy === viewer.userId;
  const canAct = state === 'waiting' && hasRight(viewer.role, 'refund');
  return {
    id: row.id,
    state,
    kind: row.kind,
    payment_id: row.attemptId,
    invoice_id: row.invoiceId,
    invoice_number: row.invoiceNumber,
    customer: row.payer,
    amount: decimalFromCents(row.amountCents),
    reason: row.reason,
    asked_by: row.askedByName,
    asked_at: iso(row.requestedAt),
    ends_at: iso(row.endsAt),
    decided_by: row.decidedByName,
    decided_at: row.decidedAt === null ? null : iso(row.decidedAt),
    decision_note: row.decisionNote,
    is_yours_to_decide: canAct && !isOwn,
    is_yours_to_withdraw: canAct && isOwn,
  };
};

/** The approvals of the last seven days. No approval waits for a second person longer than that. */
export async function viewApprovals({ db, now }: Deps, viewer: Merchant): Promise<Approval[]> {
  const rows = await listApprovals(db, viewer.accountId, { from: now() - APPROVAL_WAIT_MS });
  return rows.map((row) => presentApproval(row, viewer, now()));
}

export type DecisionOutcome =
  | { kind: 'refused'; approval: Approval }
  | { kind: 'approved'; outcome: ReversePaymentOutcome }
  | { kind: 'own' | 'over' | 'not-found' };

/**
 * Decides a waiting approval. Approving carries out the reversal at once, in the name and within the limits of the
 * requester; if that fails, the approval is undone. `note`: the reason for a refusal, which the requester sees.
 */
export async function decide(
  deps: Deps,
  viewer: Merchant,
  id: string,
  decision: 'approve' | 'refuse',
  note = '',
): Promise<DecisionOutcome> {
  const { db, now } = deps;
  const approval = await findApproval(db, viewer.accountId, id);
  if (!approval) return { kind: 'not-found' };
  if (decision === 'approve' && approval.requestedBy === viewer.userId) return { kind: 'own' };
  const to = decision === 'approve' ? 'approved' : 'refused';
  const isWithdrawn = approval.requestedBy === viewer.userId;
  const refusalNote = to === 'refused' ? note : '';
  const event = approvalEvent(deps, 'approval.decided', approval, to, { isWithdrawn, note: refusalNote });
  const decidedApproval = await decideApproval(db, { id, decider: viewer, to, note: refusalNote, now: now() }, event);
  if (!decidedApproval) {
    if (await cannotSucceed(db, id)) await endUnmadeApproval(deps, approval);
    return { kind: 'over' };
  }
  deps.log.info('approval-decided', { accountId: viewer.accountId, approvalId: id, to, by: viewer.userId });
  if (to === 'approved') return { kind: 'approved', outcome: (await makeReversal(deps, decidedApproval)).outcome };
  const [row] = await listApprovals(db, viewer.accountId, { from: 0, id });
  return row ? { kind: 'refused', approval: presentApproval(row, viewer, now()) } : { kind: 'not-found' };
}

/** The reason shown to the approver if the requester may no longer make this refund; '' if they may. */
export function requesterRefusalText(outcome: ReversePaymentOutcome): string {
  if (outcome.kind === 'forbidden') return 'The requester may no longer make refunds, so this request has ended.';
  return outcome.kind === 'above-allowance'
    ? `The requester can refund up to ${formatMoney(outcome.allowedCents, ONLINE_CURRENCY)} now, so this request has ended.`
    : '';
}

/** Approvals per run of the clinic's schedule. */
const MAX_PER_RUN = 10;
/** Pause before a failed approved reversal is retried (ms). */
const RETRY_MS = 5 * 60_000;

/**
 * For a clinic's schedule: ends approvals that were not decided within a week, and carries out approved ones whose
 * request ended before the reversal. An approval that is retried still makes only one refund, because of its request
 * key. An approval whose payment was refunded in another way, or whose week is over, ends instead. Staff are notified
 * of reversals that were not made.
 */
export async function processApprovals(callerDeps: Deps): Promise<void> {
  const deps = bySystem(callerDeps);
  for (const approval of await listDueApprovals(deps.db, deps.now(), MAX_PER_RUN)) {
    const { id, accountId } = approval;
    try {
      const newState = await processApproval(deps, approval);
      deps.log.info('approval-timed-out', { accountId, approvalId: id, became: newState });
    } catch (cause) {
      deps.log.info('approval-not-updated', { accountId, approvalId: id, cause: causeOf(cause) });
      await postponeApproval(deps.db, id, deps.now() + RETRY_MS);
    }
  }
}

async function processApproval(deps: Deps, approval: DueApproval): Promise<string> {
  // This is checked first, since the ledger entry of its own refund would look like that of another request.
  if (approval.became !== null) return (await concludeApproval(deps, approval, approval.became)) ?? 'carried out';
  if (approval.isOvertaken || approval.endsAt <= deps.now())
    return (await endUnmadeApproval(deps, approval)) ?? 'carried out';
  const { state } = await makeReversal(deps, approval);
  if (state === 'waiting') await notifyApprovalUndone(deps, approval, state);
  return state ?? 'carried out';
}

/** A refund that was not made ends its approval; any other refund has begun, and has its own states. */
async function concludeApproval(deps: Deps, approval: ApprovalRow, refund: ReversalState, message?: string) {
  if (hasFailed(refund)) return endUnmadeApproval(deps, approval, notMadeText(deps, message));
  await markCarriedOut(deps.db, approval.id);
  return undefined;
}

const notMadeText = ({ gateway }: Deps, message = '') =>
  `${gateway.displayName} did not carry it out${message && `: ${message}`}`;

/** `state`: the approval's new state, if it was not carried out. */
type CarryOutResult = { outcome: ReversePaymentOutcome; state?: 'waiting' | 'ended' | undefined };

async function makeReversal(deps: Deps, approval: ApprovalRow): Promise<CarryOutResult> {
  const { accountId, requestedBy, attemptId, kind, amountCents, reason, requestKey } = approval;
  const requester = await findMember(deps.db, { accountId, userId: requestedBy });
  // The event names the requester of the refund; the approval and its approver are in the preceding event.
  const asRequester: Deps = { ...deps, actor: { ...deps.actor, id: String(requestedBy), sessionId: '' } };
  const outcome: ReversePaymentOutcome = requester
    ? await reversePayment(
        asRequester,
        { sessionId: '', accountId, userId: requestedBy, role: requester.role },
        attemptId,
        { kind, amountCents, reason, requestKey },
        'approved',
      )
    : { kind: 'not-offered', why: 'The requester has left the team.' };
  if (outcome.kind === 'reversal') {
    const { state, message } = outcome.reversal;
    return { outcome, state: await concludeApproval(deps, approval, state, message) };
  }
  if (outcome.kind === 'unavailable') {
    const state = await revertApproval(deps, approval, 'waiting');
    if (state === 'ended') await notifyApprovalUndone(deps, approval, state);
    return { outcome, state };
  }
  return {
    outcome,
    state: await endUnmadeApproval(deps, approval, outcome.kind === 'not-offered' ? outcome.why : undefined),
  };
}

/** Ends an approval, and notifies all staff who may refund, including the requester, of the reason. */
async function endUnmadeApproval(
  deps: Deps,
  approval: ApprovalRow,
  reason?: string,
): Promise<'waiting' | 'ended' | undefined> {
  const state = await revertApproval(deps, approval, 'ended');
  if (state) await notifyApprovalUndone(deps, approval, state, reason);
  return state;
}

const revertApproval = (deps: Deps, approval: ApprovalRow, to: 'waiting' | 'ended') =>
  undoApproval(
    deps.db,
    { id: approval.id, from: approval.state === 'waiting' ? 'waiting' : 'approved', to, now: deps.now() },
    (state) => approvalEvent(deps, 'approval.decided', approval, state),
  );

/**
 * The rules for every state of a refund or void that requires a second person: the states that may follow, the event
 * that ends it, its time limit, and the alert after that limit. `approved` is final once its refund has begun, which
 * has its own states; if the refund is not made, the approval ends too. `needs approval`: the approval is emailed and
 * shown among the clinic's tasks.
 */
export const approvalStates = {
  waiting: {
    exits: ['approved', 'refused', 'ended'],
    endedBy: 'A second person’s decision, the end of the requester’s rights, or the end of its week.',
    limitMs: APPROVAL_WAIT_MS,
    alert: 'needs approval',
  },
  approved: {
    exits: ['waiting', 'ended'],
    endedBy: 'The refund’s claim, by the request that approved it or by the schedule, or the end of its week.',
    limitMs: 15 * 60_000,
    alert: 'approved-refund-not-made',
  },
  refused: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
  ended: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<ApprovalRow['state'], StateRule<ApprovalRow['state']>>;
