import type { PartVerdict } from '#shared/contracts/payments/installments';
import { ONLINE_CURRENCY } from '#shared/money';
import { type CollectionState, findCollectionState } from '#worker/data/installments/collections';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { beginNextCollection, collectionAfter } from './collection.ts';

export type DecidePartsOutcome =
  | { kind: 'decided'; owedCents: number }
  /** The CRM shows a different amount from the one that the person saw. */
  | { kind: 'changed'; owed: OwedAmounts }
  /** The CRM has no readable amount, so no decision can be based on it. */
  | { kind: 'amount-unreadable' }
  /** `nothing-left`: with this verdict, the invoice is fully paid, so its amount has to be corrected in the CRM. */
  | { kind: 'not-found' | 'crm-unavailable' | 'not-frozen' | 'nothing-left' | 'not-now' };

/** The amount owed under each verdict (cents). `oursCents`: our payments that we have not recorded in the CRM. */
export type OwedAmounts = { crmCents: number; oursCents: number } & Record<PartVerdict, number>;

/** Computes the amounts owed. Null if the CRM has no readable amount. */
export function computeOwed(collectionState: CollectionState, crmInvoice: CrmInvoice): OwedAmounts | null {
  const isOpen = crmInvoice.status === 'open' && crmInvoice.currency === ONLINE_CURRENCY;
  if (isOpen && crmInvoice.balanceCents === null) return null;
  const crmCents = isOpen && crmInvoice.balanceCents !== null ? Math.max(crmInvoice.balanceCents, 0) : 0;
  const carriedCents = collectionState.crmBalanceCents - collectionState.baseCents;
  const oursCents = carriedCents + collectionState.paidCents - collectionState.movedCents;
  return { crmCents, oursCents, contains: crmCents, lacks: crmCents - oursCents };
}

/**
 * Records a person's decision about the amount owed on an invoice whose amount was changed in the CRM, because no
 * program can distinguish a record of our payments from a credit. The decision ends this collection and begins the
 * next, with the owed amount as its base. `owedShown`: the cents that the person confirmed.
 */
export async function decideParts(
  deps: Deps,
  merchant: Merchant,
  id: string,
  { verdict, owedShown }: { verdict: PartVerdict; owedShown: number },
): Promise<DecidePartsOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return { kind: 'not-found' };
  const crmInvoice = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  if (!crmInvoice) return { kind: 'not-found' };
  const collectionState = await findCollectionState(deps.db, loaded.invoice, deps.now());
  if (collectionState?.state !== 'frozen' || invoiceBalance(loaded.invoice).isSettledHere)
    return { kind: 'not-frozen' };
  const owedAmounts = computeOwed(collectionState, crmInvoice);
  if (!owedAmounts) return { kind: 'amount-unreadable' };
  if (owedAmounts[verdict] !== owedShown) return { kind: 'changed', owed: owedAmounts };
  // The CRM would still show the invoice as open, so without a collection in parts it would be charged once more.
  if (owedShown < 0 || (owedShown === 0 && owedAmounts.crmCents > 0)) return { kind: 'nothing-left' };

  const changes = {
    baseCents: owedShown,
    crmBalanceCents: owedAmounts.crmCents,
    crmBilledCents: crmInvoice.billedCents,
  };
  const next = owedShown === 0 ? null : collectionAfter(collectionState, merchant, deps.now(), changes);
  const after = { verdict, crmCents: owedAmounts.crmCents, baseCents: owedShown };
  const isDone = await beginNextCollection(deps, collectionState, next, { action: 'parts.decided', after });
  if (!isDone) return { kind: 'not-now' };
  deps.log.info('parts-decided', {
    accountId: merchant.accountId,
    userId: merchant.userId,
    invoiceId: loaded.invoiceId,
  });
  return { kind: 'decided', owedCents: owedShown };
}
