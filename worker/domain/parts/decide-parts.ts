import type { PartVerdict } from '#shared/contracts/payments/parts';
import { ONLINE_CURRENCY } from '#shared/money';
import { findStanding, type Standing } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { askCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { beginNext, collectionAfter } from './collection.ts';

export type DecidePartsOutcome =
  | { kind: 'decided'; owedCents: number }
  /** The CRM shows another amount than the person saw. */
  | { kind: 'changed'; owed: Owed }
  /** The CRM names no amount that can be read: nothing can be decided by it. */
  | { kind: 'amount-unreadable' }
  /** `nothing-left`: by this word all is paid; the amount has to be put right in the CRM. */
  | { kind: 'not-found' | 'crm-unavailable' | 'not-frozen' | 'nothing-left' | 'not-now' };

/** What is owed by either word (cents). `oursCents`: our payments that no record of ours has told the CRM of. */
export type Owed = { crmCents: number; oursCents: number } & Record<PartVerdict, number>;

/** Null: the CRM names no amount that can be read. */
export function owedBy(standing: Standing, fresh: CrmInvoice): Owed | null {
  const isOpen = fresh.status === 'open' && fresh.currency === ONLINE_CURRENCY;
  if (isOpen && fresh.balanceCents === null) return null;
  const crmCents = isOpen && fresh.balanceCents !== null ? Math.max(fresh.balanceCents, 0) : 0;
  const carried = standing.crmBalanceCents - standing.baseCents;
  const oursCents = carried + standing.paidCents - standing.movedCents;
  return { crmCents, oursCents, contains: crmCents, lacks: crmCents - oursCents };
}

/**
 * A person says what is owed of an invoice whose amount was changed in the CRM. No program can tell a booking of our
 * payments from a credit. The answer ends this collection, and the next one begins with what is owed as its base.
 * `owedShown`: the cents that the person agreed to.
 */
export async function decideParts(
  deps: Deps,
  merchant: Merchant,
  id: string,
  { verdict, owedShown }: { verdict: PartVerdict; owedShown: number },
): Promise<DecidePartsOutcome> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own?.invoice) return { kind: 'not-found' };
  const fresh = await askCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, own));
  if (fresh === 'crm-unavailable') return { kind: fresh };
  if (!fresh) return { kind: 'not-found' };
  const standing = await findStanding(deps.db, own.invoice, deps.now());
  if (standing?.state !== 'frozen' || invoiceBalance(own.invoice).isSettledHere) return { kind: 'not-frozen' };
  const owed = owedBy(standing, fresh);
  if (!owed) return { kind: 'amount-unreadable' };
  if (owed[verdict] !== owedShown) return { kind: 'changed', owed };
  // The CRM would still show it open: without a collection in parts, it would be charged once more.
  if (owedShown < 0 || (owedShown === 0 && owed.crmCents > 0)) return { kind: 'nothing-left' };

  const changes = { baseCents: owedShown, crmBalanceCents: owed.crmCents, crmBilledCents: fresh.billedCents };
  const next = owedShown === 0 ? null : collectionAfter(standing, merchant, deps.now(), changes);
  const after = { verdict, crmCents: owed.crmCents, baseCents: owedShown };
  const isDone = await beginNext(deps, standing, next, { action: 'parts.decided', after });
  if (!isDone) return { kind: 'not-now' };
  deps.log.info('parts-decided', { accountId: merchant.accountId, userId: merchant.userId, invoiceId: own.invoiceId });
  return { kind: 'decided', owedCents: owedShown };
}
