import type { PartVerdict } from '#shared/contracts/payments/parts';
import { ONLINE_CURRENCY } from '#shared/money';
import { type CollectionState, findCollectionState } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { beginNext, collectionAfter } from './collection.ts';

export type DecidePartsOutcome =
  | { kind: 'decided'; owedCents: number }
  /** The CRM shows a different amount from the one that the person saw. */
  | { kind: 'changed'; owed: Owed }
  /** The CRM has no readable amount, so no decision can be based on it. */
  | { kind: 'amount-unreadable' }
  /** `nothing-left`: with this verdict, the invoice is fully paid, so its amount has to be corrected in the CRM. */
  | { kind: 'not-found' | 'crm-unavailable' | 'not-frozen' | 'nothing-left' | 'not-now' };

/** The amount owed under each verdict (cents). `oursCents`: our payments that we have not recorded in the CRM. */
export type Owed = { crmCents: number; oursCents: number } & Record<PartVerdict, number>;

/** Computes the amounts owed. Null if the CRM has no readable amount. */
export function owedBy(standing: CollectionState, fresh: CrmInvoice): Owed | null {
  const isOpen = fresh.status === 'open' && fresh.currency === ONLINE_CURRENCY;
  if (isOpen && fresh.balanceCents === null) return null;
  const crmCents = isOpen && fresh.balanceCents !== null ? Math.max(fresh.balanceCents, 0) : 0;
  const carriedCents = standing.crmBalanceCents - standing.baseCents;
  const oursCents = carriedCents + standing.paidCents - standing.movedCents;
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
  const fresh = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  if (fresh === 'crm-unavailable') return { kind: fresh };
  if (!fresh) return { kind: 'not-found' };
  const standing = await findCollectionState(deps.db, loaded.invoice, deps.now());
  if (standing?.state !== 'frozen' || invoiceBalance(loaded.invoice).isSettledHere) return { kind: 'not-frozen' };
  const owed = owedBy(standing, fresh);
  if (!owed) return { kind: 'amount-unreadable' };
  if (owed[verdict] !== owedShown) return { kind: 'changed', owed };
  // The CRM would still show the invoice as open, so without a collection in parts it would be charged once more.
  if (owedShown < 0 || (owedShown === 0 && owed.crmCents > 0)) return { kind: 'nothing-left' };

  const changes = { baseCents: owedShown, crmBalanceCents: owed.crmCents, crmBilledCents: fresh.billedCents };
  const next = owedShown === 0 ? null : collectionAfter(standing, merchant, deps.now(), changes);
  const after = { verdict, crmCents: owed.crmCents, baseCents: owedShown };
  const isDone = await beginNext(deps, standing, next, { action: 'parts.decided', after });
  if (!isDone) return { kind: 'not-now' };
  deps.log.info('parts-decided', {
    accountId: merchant.accountId,
    userId: merchant.userId,
    invoiceId: loaded.invoiceId,
  });
  return { kind: 'decided', owedCents: owedShown };
}
