import type { PayParts } from '#shared/contracts/payment';
import { decimalFromCents as money } from '#shared/money';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import { findStanding, listTakenParts } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { rangeOf } from '#worker/domain/payments/price-part';

/** What a payer may pay of an invoice in parts. `frozen`: a person of the business says first what is owed. */
export async function payableParts({ db, now }: Deps, invoice: InvoiceRow): Promise<PayParts | 'frozen'> {
  const standing = await findStanding(db, invoice, now());
  if (standing?.state !== 'open') return 'frozen';
  const { paidBeforeCents, baseCents, paidCents, depositCents, releasedCents, taken } = standing;
  const range = rangeOf(standing);
  const paid = taken > 0 || paidBeforeCents > 0 ? await listTakenParts(db, invoice) : [];
  const addsUp = paid.reduce((sum, { cents }) => sum + cents, 0) === paidBeforeCents + paidCents;
  return {
    base: money(paidBeforeCents + baseCents),
    paid: money(paidBeforeCents + paidCents),
    // What went back of an earlier collection is still counted there, so the parts need not add up.
    taken: addsUp ? paid.map(({ cents, day }) => ({ amount: money(cents), on: day })) : [],
    range: range && { least: money(range.leastCents), most: money(range.mostCents) },
    deposit: depositCents !== null && taken === 0 ? money(depositCents) : null,
    only: releasedCents === null ? null : money(releasedCents),
  };
}
