import { findStanding } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { leftOf } from '#worker/domain/payments/price-part';
import { beginNext, collectionAfter } from './next-collection.ts';

/** `leftCents`: what is to be paid at once now. */
export type ClosePartsOutcome =
  | { kind: 'closed'; leftCents: number }
  /** `not-now`: a part is being paid, or one of today may still show up. */
  | { kind: 'not-found' | 'not-open' | 'not-now' };

/** No more parts of an invoice: what is left is paid at once. Where nothing was paid yet, it is paid whole again. */
export async function closeParts(deps: Deps, merchant: Merchant, id: string): Promise<ClosePartsOutcome> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own?.invoice) return { kind: 'not-found' };
  const standing = await findStanding(deps.db, own.invoice, deps.now());
  if (standing?.state !== 'open' || invoiceBalance(own.invoice).isSettledHere) return { kind: 'not-open' };
  const leftCents = leftOf(standing);
  const isUntouched = standing.taken === 0 && standing.paidBeforeCents === 0;
  const isAsInCrm = standing.baseCents === standing.crmBalanceCents;
  const atOnce = { minCents: leftCents, maxParts: 1 };
  const next = isUntouched && isAsInCrm ? null : collectionAfter(standing, merchant, deps.now(), atOnce);
  const isDone = await beginNext(deps, standing, next, { action: 'parts.closed' });
  if (!isDone) return { kind: 'not-now' };
  deps.log.info('parts-closed', { accountId: merchant.accountId, userId: merchant.userId, invoiceId: own.invoiceId });
  return { kind: 'closed', leftCents };
}
