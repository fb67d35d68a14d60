import { decimalFromCents, formatMoney, ONLINE_CURRENCY, typedCents } from '#shared/money';
import { type InvoiceRow, saveInvoice, withCrmData } from '#worker/data/invoices/invoices';
import { findStanding, type Standing } from '#worker/data/parts/collections';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { agrees, freezeAsShown } from '#worker/domain/invoices/changed-amount';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';

/** The requested payment: the amount that the page showed, and the part to pay; without `part`, all of it. */
export type PriceRequest = {
  amountShown: string | undefined;
  part?: { amount: string } | undefined;
  method: Attempt['method'];
};
/** `part`: its number within the collection; 1 for an invoice that is paid in full. */
export type Priced = { kind: 'priced'; invoice: InvoiceRow; amountCents: number; part: number };
export type NotPriced =
  | { kind: 'pending' }
  | { kind: 'already-paid' | 'not-payable-online' | 'nothing-to-pay' | 'amount-unreadable' }
  | { kind: 'amount-changed' | 'crm-unavailable' }
  /** For an invoice in parts: the CRM's amount has changed, and a person must decide what is owed. */
  | { kind: 'frozen' }
  | { kind: 'part-refused'; message: string };

/** The amount still owed in a collection in parts (cents). */
export const leftOf = ({ baseCents, paidCents }: Standing): number => baseCents - paidCents;

/** The allowed amounts of the next part, besides the full rest. Null if only the full rest is allowed. */
export function rangeOf(standing: Standing): { minCents: number; maxCents: number } | null {
  const maxCents = leftOf(standing) - standing.minCents;
  const isLast = standing.taken + 1 >= standing.maxParts;
  return isLast || maxCents < standing.minCents ? null : { minCents: standing.minCents, maxCents };
}

/**
 * The price of the next part. The amount owed is the frozen base minus our own parts; the CRM's balance is only
 * compared. If that has changed, nothing is charged until a person decides what is owed.
 */
export async function pricePart(
  deps: Deps,
  invoice: InvoiceRow,
  fresh: CrmInvoice,
  { amountShown, part, method }: PriceRequest,
): Promise<Priced | NotPriced> {
  const standing = await findStanding(deps.db, invoice, deps.now());
  if (!standing || standing.state === 'closed') return { kind: 'amount-changed' };
  if (standing.state === 'frozen') return { kind: 'frozen' };
  if (!agrees(standing, fresh))
    return { kind: (await freezeAsShown(deps, standing, fresh)) ? 'frozen' : 'crm-unavailable' };
  if (standing.unsettled) return { kind: 'crm-unavailable' };

  const left = leftOf(standing);
  if (amountShown !== undefined && amountShown !== decimalFromCents(left)) return { kind: 'amount-changed' };
  if (method !== 'card') return refused('An invoice with partial payments is paid by card.');
  const amountCents = part === undefined ? left : typedCents(part.amount);
  const why = amountCents === null ? acceptedAmounts(standing) : whyRefused(standing, amountCents);
  if (why !== null || amountCents === null) return refused(why ?? acceptedAmounts(standing));
  // The amount owed may have grown since the invoice was opened for parts, for example by a staff decision.
  if (amountCents > deps.settings.MAX_AMOUNT_CENTS) {
    deps.log.alert('amount-over-maximum', { accountId: invoice.accountId, invoiceId: fresh.id });
    return { kind: 'not-payable-online' };
  }
  return { kind: 'priced', invoice, amountCents, part: standing.taken + 1 };
}

const refused = (message: string) => ({ kind: 'part-refused' as const, message });

const money = (cents: number) => formatMoney(cents, ONLINE_CURRENCY);

/** Tells the payer which amounts are accepted. */
function acceptedAmounts(standing: Standing): string {
  const [range, left] = [rangeOf(standing), money(leftOf(standing))];
  return range ? `Enter ${money(range.minCents)} to ${money(range.maxCents)}, or ${left}.` : `Enter ${left}.`;
}

/** The reason why a part of this amount is not accepted; null if it is. The claim's statement checks the same. */
export function whyRefused(standing: Standing, amountCents: number): string | null {
  const { releasedCents } = standing;
  // Under one key, the gateway accepts the same amount only once, but it also accepts a different one.
  if (releasedCents !== null && releasedCents !== amountCents)
    return `Until tomorrow only ${money(releasedCents)} can be paid, the amount of the last attempt.`;
  const range = rangeOf(standing);
  const isAccepted =
    amountCents === leftOf(standing) ||
    (range !== null && amountCents >= range.minCents && amountCents <= range.maxCents);
  return isAccepted ? null : acceptedAmounts(standing);
}

/** Reads an invoice from the CRM now. Null if the CRM no longer has it. Throws CrmError. */
export function readFresh(deps: Deps, { tokens, link, account }: Payable): Promise<CrmInvoice | null> {
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  return withCrm(deps, tokens, (token, timeZone) =>
    deps.crm.getInvoice(token, link.invoiceId, { timeZone, lines: account.showsLines }),
  );
}

/** The price of an invoice (cents) according to the CRM now, or the reason why nothing may be charged. */
export async function priceInvoice(
  deps: Deps,
  stored: InvoiceRow,
  fresh: CrmInvoice,
  request: PriceRequest,
): Promise<Priced | NotPriced> {
  const { amountShown } = request;
  const invoice = withCrmData(stored, fresh, deps.now());
  if (!invoiceBalance(invoice).isSettledHere && invoice.partBaseCents !== null)
    return pricePart(deps, invoice, fresh, request);
  const state = payableState(invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state === 'paid') return { kind: 'already-paid' };
  if (state === 'submitted') return { kind: 'pending' };
  if (state !== 'payable') {
    if (fresh.balanceCents !== null && fresh.balanceCents > deps.settings.MAX_AMOUNT_CENTS) {
      deps.log.alert('amount-over-maximum', { accountId: stored.accountId, invoiceId: fresh.id });
    }
    return { kind: state };
  }
  const amountCents = fresh.balanceCents;
  if (amountCents === null) return { kind: 'amount-unreadable' };
  // A part must not become a full payment if the invoice is no longer paid in parts.
  const isOther = amountShown !== undefined && amountShown !== decimalFromCents(amountCents);
  if (isOther || request.part !== undefined) {
    await saveInvoice(deps.db, stored.accountId, fresh, deps.now());
    return { kind: 'amount-changed' };
  }
  return { kind: 'priced', invoice, amountCents, part: 1 };
}
