import { decimalFromCents, formatMoney, ONLINE_CURRENCY, typedCents } from '#shared/money';
import { type CollectionState, findCollectionState } from '#worker/data/installments/collections';
import { type InvoiceRow, saveInvoice, withCrmData } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { freezeAsShown, matchesCrm } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';

/** A payment request with the amount that the page showed. Without `part`, the whole amount owed is paid. */
export type PriceRequest = {
  amountShown: string | undefined;
  part?: { amount: string } | undefined;
  method: Attempt['method'];
};
/** `part`: the number of the part within the collection; 1 for an invoice that is paid in full. */
export type InvoicePrice = { kind: 'priced'; invoice: InvoiceRow; amountCents: number; part: number };
export type PriceRefusal =
  | { kind: 'pending' }
  | { kind: 'already-paid' | 'not-payable-online' | 'nothing-to-pay' | 'amount-unreadable' }
  | { kind: 'amount-changed' | 'crm-unavailable' }
  /** The CRM's amount of an invoice in parts has changed, so a person must decide what is owed. */
  | { kind: 'frozen' }
  | { kind: 'part-refused'; message: string };

/** The amount still owed in a collection in parts (cents). */
export const remainingOf = ({ baseCents, paidCents }: CollectionState): number => baseCents - paidCents;

/**
 * The range of amounts allowed for the next part. The full remaining amount is always allowed as well; null if nothing
 * else is.
 */
export function rangeOf(collectionState: CollectionState): { minCents: number; maxCents: number } | null {
  const maxCents = remainingOf(collectionState) - collectionState.minCents;
  const isLast = collectionState.taken + 1 >= collectionState.maxParts;
  return isLast || maxCents < collectionState.minCents ? null : { minCents: collectionState.minCents, maxCents };
}

/**
 * The price of the next part. The amount owed is the frozen base minus the parts paid here; the CRM's balance is only
 * compared. If that balance has changed, nothing is charged until a person decides what is owed.
 */
export async function pricePart(
  deps: Deps,
  invoice: InvoiceRow,
  crmInvoice: CrmInvoice,
  { amountShown, part, method }: PriceRequest,
): Promise<InvoicePrice | PriceRefusal> {
  const collectionState = await findCollectionState(deps.db, invoice, deps.now());
  if (!collectionState || collectionState.state === 'closed') return { kind: 'amount-changed' };
  if (collectionState.state === 'frozen') return { kind: 'frozen' };
  if (!matchesCrm(collectionState, crmInvoice))
    return { kind: (await freezeAsShown(deps, collectionState, crmInvoice)) ? 'frozen' : 'crm-unavailable' };
  if (collectionState.unsettled) return { kind: 'crm-unavailable' };

  const remainingCents = remainingOf(collectionState);
  if (amountShown !== undefined && amountShown !== decimalFromCents(remainingCents)) return { kind: 'amount-changed' };
  if (method !== 'card') return refusePart('An invoice with partial payments is paid by card.');
  const amountCents = part === undefined ? remainingCents : typedCents(part.amount);
  const refusalReason =
    amountCents === null ? acceptedAmounts(collectionState) : refusalReasonFor(collectionState, amountCents);
  if (refusalReason !== null || amountCents === null)
    return refusePart(refusalReason ?? acceptedAmounts(collectionState));
  // The amount owed may have grown since the invoice was opened for parts, for example by a staff decision.
  if (amountCents > deps.settings.MAX_AMOUNT_CENTS) {
    deps.log.alert('amount-over-maximum', { accountId: invoice.accountId, invoiceId: crmInvoice.id });
    return { kind: 'not-payable-online' };
  }
  return { kind: 'priced', invoice, amountCents, part: collectionState.taken + 1 };
}

const refusePart = (message: string) => ({ kind: 'part-refused' as const, message });

const money = (cents: number) => formatMoney(cents, ONLINE_CURRENCY);

/** Tells the payer which amounts are accepted. */
function acceptedAmounts(collectionState: CollectionState): string {
  const [range, remaining] = [rangeOf(collectionState), money(remainingOf(collectionState))];
  return range ? `Enter ${money(range.minCents)} to ${money(range.maxCents)}, or ${remaining}.` : `Enter ${remaining}.`;
}

/** The reason why a part of this amount is not accepted; null if it is. The claim's statement checks the same. */
export function refusalReasonFor(collectionState: CollectionState, amountCents: number): string | null {
  const { releasedCents } = collectionState;
  // Under one key, the gateway accepts the same amount only once, but it also accepts a different one.
  if (releasedCents !== null && releasedCents !== amountCents)
    return `Until tomorrow only ${money(releasedCents)} can be paid, the amount of the last attempt.`;
  const range = rangeOf(collectionState);
  const isAccepted =
    amountCents === remainingOf(collectionState) ||
    (range !== null && amountCents >= range.minCents && amountCents <= range.maxCents);
  return isAccepted ? null : acceptedAmounts(collectionState);
}

/** Reads an invoice from the CRM now. Null if the CRM no longer has it. Throws CrmError. */
export function readInvoiceFromCrm(deps: Deps, { tokens, link, account }: Payable): Promise<CrmInvoice | null> {
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  return withCrm(deps, tokens, (token, timeZone) =>
    deps.crm.getInvoice(token, link.invoiceId, { timeZone, lines: account.showsLines }),
  );
}

/** The price of an invoice (cents) according to the CRM now, or the reason why nothing may be charged. */
export async function priceInvoice(
  deps: Deps,
  storedInvoice: InvoiceRow,
  crmInvoice: CrmInvoice,
  request: PriceRequest,
): Promise<InvoicePrice | PriceRefusal> {
  const { amountShown } = request;
  const invoice = withCrmData(storedInvoice, crmInvoice, deps.now());
  if (!invoiceBalance(invoice).isSettledHere && invoice.partBaseCents !== null)
    return pricePart(deps, invoice, crmInvoice, request);
  const state = payableState(invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state === 'paid') return { kind: 'already-paid' };
  if (state === 'submitted') return { kind: 'pending' };
  if (state !== 'payable') {
    if (crmInvoice.balanceCents !== null && crmInvoice.balanceCents > deps.settings.MAX_AMOUNT_CENTS) {
      deps.log.alert('amount-over-maximum', { accountId: storedInvoice.accountId, invoiceId: crmInvoice.id });
    }
    return { kind: state };
  }
  const amountCents = crmInvoice.balanceCents;
  if (amountCents === null) return { kind: 'amount-unreadable' };
  // A part must not become a full payment if the invoice is no longer paid in parts.
  const isDifferentAmount = amountShown !== undefined && amountShown !== decimalFromCents(amountCents);
  if (isDifferentAmount || request.part !== undefined) {
    await saveInvoice(deps.db, storedInvoice.accountId, crmInvoice, deps.now());
    return { kind: 'amount-changed' };
  }
  return { kind: 'priced', invoice, amountCents, part: 1 };
}
