import type { PayParts } from '#shared/contracts/payment';
import { decimalFromCents as money } from '#shared/money';
import { findCollectionState, listPaidInstallments } from '#worker/data/installments/collections';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { allowedMethods } from '#worker/domain/payments/attempts';
import { rangeOf, refusalReasonFor, remainingOf } from '#worker/domain/payments/price';

/**
 * The amounts that a payer may pay for an invoice in installments. `changed`: the business must first decide what is
 * owed. `unavailable`: one of our records may or may not have changed the CRM's balance. `released`: no amount is
 * accepted until tomorrow.
 */
export async function payableParts(
  { db, now }: Deps,
  invoice: InvoiceRow,
  attempts: Attempt[],
): Promise<PayParts | 'changed' | 'unavailable' | 'released'> {
  const collectionState = await findCollectionState(db, invoice, now());
  if (collectionState?.state !== 'open') return 'changed';
  if (collectionState.unsettled) return 'unavailable';
  const { paidBeforeCents, baseCents, paidCents, depositCents, releasedCents, taken } = collectionState;
  const amountCents = releasedCents ?? remainingOf(collectionState);
  const request = { amountCents, collection: collectionState.n, part: taken + 1, createdAt: now() };
  if (!allowedMethods(attempts, request).includes('card') || refusalReasonFor(collectionState, amountCents) !== null)
    return 'released';
  const range = rangeOf(collectionState);
  const takenParts = taken > 0 || paidBeforeCents > 0 ? await listPaidInstallments(db, invoice) : [];
  const addsUp = takenParts.reduce((sum, { cents }) => sum + cents, 0) === paidBeforeCents + paidCents;
  return {
    base: money(paidBeforeCents + baseCents),
    paid: money(paidBeforeCents + paidCents),
    // A refund in an earlier collection is still counted there, so the parts may not add up.
    taken: addsUp ? takenParts.map(({ cents, day }) => ({ amount: money(cents), on: day })) : [],
    range: range && { least: money(range.minCents), most: money(range.maxCents) },
    deposit: depositCents !== null && taken === 0 ? money(depositCents) : null,
    only: releasedCents === null ? null : money(releasedCents),
  };
}
