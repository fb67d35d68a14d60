import type { ReversalState, ReversalView, ShownReversal } from '#shared/contracts/payments/batches';
import { decimalFromCents, formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { findWaitingApproval } from '#worker/data/refunds/approvals';
import { findReversiblePayment } from '#worker/data/refunds/reversals';
import type { Reversal } from '#worker/data/schema/refunds';
import type { Deps } from '#worker/deps';
import { cardText } from '#worker/domain/mail/receipt';
import type { Merchant } from '#worker/domain/merchants/session';
import { allowanceOf } from './eligibility.ts';
import { offerOf } from './refund.ts';

const STATE_LABELS: Record<Reversal['state'], ReversalState> = {
  sent: 'under-way',
  unknown: 'under-way',
  approved: 'done',
  refused: 'refused',
  not_done: 'not-done',
  needs_human: 'needs-a-person',
};

export const presentReversal = (reversal: Reversal): ShownReversal => ({
  id: reversal.id,
  kind: reversal.kind,
  amount: decimalFromCents(reversal.amountCents),
  state: STATE_LABELS[reversal.state],
  reason: reversal.reason,
  message: reversal.state === 'refused' ? reversal.message : '',
  batch_id: reversal.batchId,
  at: new Date(reversal.settledAt ?? reversal.createdAt).toISOString(),
});

/**
 * Returns, for example: "Cleo Marsh requested a refund of $246.25. It is waiting for a second person’s approval. See
 * Account, Approvals." An unknown name is left out.
 */
function waitingText({ kind, amountCents, askedBy }: NonNullable<Awaited<ReturnType<typeof findWaitingApproval>>>) {
  const reversalText = `${kind} of ${formatMoney(amountCents, ONLINE_CURRENCY)}`;
  const lead = askedBy ? `${askedBy} requested a ${reversalText}. It` : `A ${reversalText}`;
  return `${lead} is waiting for a second person’s approval. See Account, Approvals.`;
}

/** A merchant's own payment with its reversals so far and the reversal that is possible now. */
export async function viewReversal(
  deps: Deps,
  merchant: Merchant,
  attemptId: string,
): Promise<{ kind: 'view'; view: ReversalView } | { kind: 'not-found' } | { kind: 'unavailable' }> {
  const [reversible, allowance, waitingApproval] = await Promise.all([
    findReversiblePayment(deps.db, merchant.accountId, attemptId),
    allowanceOf(deps, merchant),
    findWaitingApproval(deps.db, merchant.accountId, attemptId, deps.now()),
  ]);
  if (!reversible) return { kind: 'not-found' };
  const { attempt, reversals } = reversible;
  const offerResult = await offerOf(deps, attempt, reversals, allowance);
  if (offerResult === 'unavailable') return { kind: 'unavailable' };
  const view: ReversalView = {
    payment: {
      id: attempt.id,
      invoice_id: attempt.invoiceId,
      invoice_number: attempt.invoiceNumber,
      amount: decimalFromCents(attempt.amountCents),
      card: cardText(attempt),
      terminal_id: attempt.terminalId,
      paid_at: new Date(attempt.settledAt ?? attempt.createdAt).toISOString(),
    },
    // A refund made in the meantime would end the waiting request.
    offer: waitingApproval
      ? { ...offerResult.offer, kind: null, why: waitingText(waitingApproval) }
      : offerResult.offer,
    reversals: reversals.map(presentReversal),
  };
  return { kind: 'view', view };
}
