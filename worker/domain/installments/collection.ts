import { type CollectionState, type NewCollection, startNextCollection } from '#worker/data/installments/collections';
import type { Collection } from '#worker/data/schema/invoices';
import type { Deps } from '#worker/deps';
import { type AuditedAction, auditEvent } from '#worker/domain/audit/event';
import { expectedBalance } from '#worker/domain/invoices/freeze-changed-amount';
import type { Merchant } from '#worker/domain/merchants/session';
import { remainingOf } from '#worker/domain/payments/price';
import type { StateRule } from '#worker/domain/state-rule';

type Changes = Partial<
  Pick<NewCollection, 'baseCents' | 'minCents' | 'maxParts' | 'crmBalanceCents' | 'crmBilledCents'>
>;

/**
 * The next collection after `from`, for the remaining amount. It carries over the balance that the CRM should show now.
 * If the CRM shows a different one, the next payment detects that and charges nothing.
 */
export function collectionAfter(
  from: CollectionState,
  { userId }: Merchant,
  at: number,
  changes: Changes = {},
): NewCollection {
  const baseCents = changes.baseCents ?? remainingOf(from);
  return {
    accountId: from.accountId,
    invoiceId: from.invoiceId,
    n: from.nextN,
    depositCents: null,
    maxParts: Math.max(1, from.maxParts - from.taken),
    paidBeforeCents: from.paidBeforeCents + from.paidCents,
    crmBalanceCents: expectedBalance(from),
    crmBilledCents: from.crmBilledCents,
    openedBy: userId,
    openedAt: at,
    ...changes,
    baseCents,
    minCents: Math.min(changes.minCents ?? from.minCents, baseCents),
  };
}

/**
 * Ends a collection in parts and begins the next one, with the event of the action. False if it has changed since it
 * was read.
 */
export function beginNextCollection(
  deps: Deps,
  from: CollectionState,
  next: NewCollection | null,
  eventPart: Pick<AuditedAction, 'action' | 'after'>,
): Promise<boolean> {
  const event = auditEvent(deps, {
    accountId: from.accountId,
    ...eventPart,
    subject: ['invoice', from.invoiceId],
    before: { collection: from.n, paidCents: from.paidCents },
    after: { collection: from.nextN, baseCents: next?.baseCents, ...eventPart.after },
  });
  return startNextCollection(deps.db, from, deps.now(), next, event);
}

/**
 * The rules for every state of a collection in parts: the states that may follow, the event that ends it, its time
 * limit, and the alert after that limit. `open` has no limit, because payers pay when they like. `needs frozen`: the
 * collection is listed at once in Payments to check and among the clinic's tasks, as long as its invoice is in the CRM.
 */
export const collectionStates = {
  open: {
    exits: ['frozen', 'closed'],
    endedBy: 'Its last part, a staff member who closes it, or another amount in the CRM.',
    limitMs: null,
    alert: null,
  },
  frozen: {
    exits: ['closed'],
    endedBy: 'A staff member who decides what is owed, or the deletion of its invoice in the CRM.',
    limitMs: 0,
    alert: 'needs frozen',
  },
  closed: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<Collection['state'], StateRule<Collection['state']>>;
