import { decimalFromCents } from '#shared/money';
import { type InvoiceRow, saveInvoice, withFreshCopy } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { payableState } from '#worker/domain/pay-links/link-state';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';

/** Read an invoice from the CRM now. Null: the CRM does not have it any more. Throws CrmError. */
export function readFresh(deps: Deps, { tokens, link }: Payable): Promise<CrmInvoice | null> {
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  return withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, link.invoiceId));
}

/** What is asked for: the amount that the page showed, and the part of it that is to be paid; without one, all of it. */
export type Asked = {
  amountShown: string | undefined;
  part?: { amount: string } | undefined;
  method: Attempt['method'];
};
/** `part`: which part of its collection it is; 1 of an invoice that is paid whole. */
export type Priced = { kind: 'priced'; invoice: InvoiceRow; amountCents: number; part: number };
export type NotPriced =
  | {
      kind: 'already-paid' | 'pending' | 'not-payable-online' | 'nothing-to-pay' | 'amount-changed' | 'crm-unavailable';
    }
  /** Of an invoice that is paid in parts: the CRM's amount has changed, and a person says what is owed. */
  | { kind: 'frozen' }
  | { kind: 'part-refused'; message: string };

/** The price of an invoice (cents) by the CRM's answer in this very request, or why nothing may be charged. */
export async function priceInvoice(
  deps: Deps,
  kept: InvoiceRow,
  fresh: CrmInvoice,
  asked: Asked,
): Promise<Priced | NotPriced> {
  const { amountShown } = asked;
  const invoice = withFreshCopy(kept, fresh, deps.now());
  if (invoice.localStatus === 'none' && invoice.partBaseCents !== null)
    return (await import('./price-part.ts')).pricePart(deps, invoice, fresh, asked);
  const state = payableState(invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state === 'paid') return { kind: 'already-paid' };
  if (state === 'submitted') return { kind: 'pending' };
  if (state !== 'payable') {
    if (fresh.balanceCents !== null && fresh.balanceCents > deps.settings.MAX_AMOUNT_CENTS) {
      deps.log.alert('amount-over-maximum', { accountId: kept.accountId, invoiceId: fresh.id });
    }
    return { kind: state };
  }
  const amountCents = fresh.balanceCents ?? 0;
  // A part of an invoice that is not paid in parts any more must not become the whole.
  const isOther = amountShown !== undefined && amountShown !== decimalFromCents(amountCents);
  if (isOther || asked.part !== undefined) {
    await saveInvoice(deps.db, kept.accountId, fresh, deps.now());
    return { kind: 'amount-changed' };
  }
  return { kind: 'priced', invoice, amountCents, part: 1 };
}
