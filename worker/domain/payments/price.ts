import { decimalFromCents } from '#shared/money';
import { type InvoiceRow, saveInvoice, withFreshCopy } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { pricePart } from './price-part.ts';
import type { Asked, NotPriced, Priced } from './priced.ts';

/** Read an invoice from the CRM now. Null: the CRM does not have it any more. Throws CrmError. */
export function readFresh(deps: Deps, { tokens, link, account }: Payable): Promise<CrmInvoice | null> {
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  return withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, link.invoiceId, { lines: account.showsLines }));
}

/** The price of an invoice (cents) by the CRM's answer in this very request, or why nothing may be charged. */
export async function priceInvoice(
  deps: Deps,
  kept: InvoiceRow,
  fresh: CrmInvoice,
  asked: Asked,
): Promise<Priced | NotPriced> {
  const { amountShown } = asked;
  const invoice = withFreshCopy(kept, fresh, deps.now());
  if (!invoiceBalance(invoice).isSettledHere && invoice.partBaseCents !== null)
    return pricePart(deps, invoice, fresh, asked);
  const state = payableState(invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state === 'paid') return { kind: 'already-paid' };
  if (state === 'submitted') return { kind: 'pending' };
  if (state !== 'payable') {
    if (fresh.balanceCents !== null && fresh.balanceCents > deps.settings.MAX_AMOUNT_CENTS) {
      deps.log.alert('amount-over-maximum', { accountId: kept.accountId, invoiceId: fresh.id });
    }
    return { kind: state };
  }
  const amountCents = fresh.balanceCents;
  if (amountCents === null) return { kind: 'amount-unreadable' };
  // A part of an invoice that is not paid in parts any more must not become the whole.
  const isOther = amountShown !== undefined && amountShown !== decimalFromCents(amountCents);
  if (isOther || asked.part !== undefined) {
    await saveInvoice(deps.db, kept.accountId, fresh, deps.now());
    return { kind: 'amount-changed' };
  }
  return { kind: 'priced', invoice, amountCents, part: 1 };
}
