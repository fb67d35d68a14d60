import { decimalFromCents, formatMoney, ONLINE_CURRENCY, typedCents } from '#shared/money';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import { findStanding, type Standing } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { agrees, freezeAsShown } from '#worker/domain/invoices/changed-amount';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import type { Asked, NotPriced, Priced } from './priced.ts';

/** What is still owed of a collection in parts (cents). */
export const leftOf = ({ baseCents, paidCents }: Standing): number => baseCents - paidCents;

/** What the next part may be, besides all that is left: from `leastCents` to `mostCents`; null: only all of it. */
export function rangeOf(standing: Standing): { leastCents: number; mostCents: number } | null {
  const mostCents = leftOf(standing) - standing.minCents;
  const isLast = standing.taken + 1 >= standing.maxParts;
  return isLast || mostCents < standing.minCents ? null : { leastCents: standing.minCents, mostCents };
}

/**
 * The price of the next part. What is owed is the frozen base less our own parts; the CRM's balance is only compared, and
 * where it is another one than it was, nothing is charged until a person has said what is owed.
 */
export async function pricePart(
  deps: Deps,
  invoice: InvoiceRow,
  fresh: CrmInvoice,
  { amountShown, part, method }: Asked,
): Promise<Priced | NotPriced> {
  const standing = await findStanding(deps.db, invoice, deps.now());
  if (!standing || standing.state === 'closed') return { kind: 'amount-changed' };
  if (standing.state === 'frozen') return { kind: 'frozen' };
  if (!agrees(standing, fresh))
    return { kind: (await freezeAsShown(deps, standing, fresh)) ? 'frozen' : 'crm-unavailable' };
  if (standing.unsettled) return { kind: 'crm-unavailable' };

  const left = leftOf(standing);
  if (amountShown !== undefined && amountShown !== decimalFromCents(left)) return { kind: 'amount-changed' };
  if (method !== 'card') return refused('An invoice that is paid in parts is paid by card.');
  const amountCents = part === undefined ? left : typedCents(part.amount);
  const why = amountCents === null ? notTaken(standing) : whyRefused(standing, amountCents);
  if (why !== null || amountCents === null) return refused(why ?? notTaken(standing));
  // What is owed may have grown since it was opened for parts, such as by a decision of staff.
  if (amountCents > deps.settings.MAX_AMOUNT_CENTS) {
    deps.log.alert('amount-over-maximum', { accountId: invoice.accountId, invoiceId: fresh.id });
    return { kind: 'not-payable-online' };
  }
  return { kind: 'priced', invoice, amountCents, part: standing.taken + 1 };
}

const refused = (message: string) => ({ kind: 'part-refused' as const, message });

const money = (cents: number) => formatMoney(cents, ONLINE_CURRENCY);

function notTaken(standing: Standing): string {
  const [range, left] = [rangeOf(standing), money(leftOf(standing))];
  return range ? `Enter ${money(range.leastCents)} to ${money(range.mostCents)}, or ${left}.` : `Enter ${left}.`;
}

/** Why a part of this amount is not taken; null: it is. The claim asks the same in its own statement. */
export function whyRefused(standing: Standing, amountCents: number): string | null {
  const { releasedCents } = standing;
  // Under its key, the gateway takes the same amount once and another one again.
  if (releasedCents !== null && releasedCents !== amountCents)
    return `Until tomorrow only ${money(releasedCents)} can be paid, the amount of the last attempt.`;
  const range = rangeOf(standing);
  const isTaken =
    amountCents === leftOf(standing) ||
    (range !== null && amountCents >= range.leastCents && amountCents <= range.mostCents);
  return isTaken ? null : notTaken(standing);
}
