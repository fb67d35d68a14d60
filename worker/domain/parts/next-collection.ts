import { nextCollection, type Opened, type Standing } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { type Act, auditEvent } from '#worker/domain/audit/event';
import { expectedBalance } from '#worker/domain/invoices/changed-amount';
import type { Merchant } from '#worker/domain/merchants/session';
import { leftOf } from '#worker/domain/payments/price-part';

type Changes = Partial<Pick<Opened, 'baseCents' | 'minCents' | 'maxParts' | 'crmBalanceCents' | 'crmBilledCents'>>;

/**
 * The collection after `from`: what is left of it. It carries the CRM's balance on as it must be now; where it is
 * another one, the next payment finds out and nothing is charged.
 */
export function collectionAfter(from: Standing, { userId }: Merchant, at: number, changes: Changes = {}): Opened {
  const baseCents = changes.baseCents ?? leftOf(from);
  return {
    ...{ accountId: from.accountId, invoiceId: from.invoiceId, n: from.nextN },
    depositCents: null,
    maxParts: Math.max(1, from.maxParts - from.taken),
    paidBeforeCents: from.paidBeforeCents + from.paidCents,
    crmBalanceCents: expectedBalance(from),
    crmBilledCents: from.crmBilledCents,
    ...{ openedBy: userId, openedAt: at },
    ...changes,
    baseCents,
    minCents: Math.min(changes.minCents ?? from.minCents, baseCents),
  };
}

/** End a collection in parts and begin the next one, with the event of the act. False: it does not stand as it was read. */
export function beginNext(
  deps: Deps,
  from: Standing,
  next: Opened | null,
  act: Pick<Act, 'action' | 'after'>,
): Promise<boolean> {
  const event = auditEvent(deps, {
    accountId: from.accountId,
    ...act,
    subject: ['invoice', from.invoiceId],
    before: { collection: from.n, paidCents: from.paidCents },
    after: { collection: from.nextN, baseCents: next?.baseCents, ...act.after },
  });
  return nextCollection(deps.db, from, deps.now(), next, event);
}
