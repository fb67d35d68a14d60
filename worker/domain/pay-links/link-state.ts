import { ONLINE_CURRENCY } from '#shared/money';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';

export type LinkState = 'live' | 'ended' | 'revoked';

/** At the moment that staff were told, however late the clock that writes it down. */
export const isRevoked = ({ state, revokeAt }: Payable['link'], now: number): boolean =>
  state === 'revoked' || (state === 'live' && revokeAt !== null && revokeAt <= now);

export function linkState({ link }: Payable, now: number): LinkState {
  if (isRevoked(link, now)) return 'revoked';
  return link.state === 'live' && link.endsAt > now ? 'live' : 'ended';
}

export type PayableState = 'payable' | 'paid' | 'submitted' | 'not-payable-online' | 'nothing-to-pay';

type Owed = Pick<InvoiceRow, 'balanceCents'> & Partial<Pick<InvoiceRow, 'partBaseCents' | 'partPaidCents'>>;

/** What is owed of an open invoice (cents), by the CRM; in parts by what they come to, less those that are paid. */
export const owedCents = ({ balanceCents, partBaseCents, partPaidCents }: Owed): number | null =>
  typeof partBaseCents === 'number' ? partBaseCents - (partPaidCents ?? 0) : balanceCents;

/** Whether an invoice can be paid. Our local status goes before the CRM's: once paid here, it is never open here. */
export function payableState(
  invoice: Pick<InvoiceRow, 'localStatus' | 'status' | 'currency'> & Owed,
  maxCents: number,
): PayableState {
  if (invoice.localStatus === 'paid' || invoice.localStatus === 'submitted') return invoice.localStatus;
  // After its money went back, an invoice stays closed until the merchant reopens it.
  if (invoice.localStatus !== 'none') return 'not-payable-online';
  if (invoice.status === 'paid') return 'paid';
  if (invoice.status !== 'open' || invoice.currency !== ONLINE_CURRENCY) return 'not-payable-online';
  const cents = owedCents(invoice);
  return cents === null || cents <= 0 || cents > maxCents ? 'nothing-to-pay' : 'payable';
}

/** End of a link (ms): PAY_LINK_DAYS after the later of the due date and its last issue or sending. */
export function linkEnd(dueDate: string | null, issuedAt: number, settings: Deps['settings']): number {
  const due = dueDate ? Date.parse(`${dueDate}T23:59:59Z`) : 0;
  return Math.max(due, issuedAt) + settings.PAY_LINK_DAYS * 86_400_000;
}
