import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import { localDay } from '#shared/text/local-day';
import { findCollectionState } from '#worker/data/installments/collections';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import { findAccount } from '#worker/data/merchants/accounts';
import { RELEASE_WINDOW_MS, readOfferFacts } from '#worker/data/payable-conditions';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { isCatchingUp } from './merchants/after-restore.ts';
import { allowedMethods } from './payments/attempts.ts';
import { isPaused } from './payments/pause.ts';

type PaymentContext = { accountId: number; restoredAt: number | null; closesAt: number | null; hasTerminal: boolean };

export const paymentContextOf = ({ link, account, terminal }: Payable): PaymentContext => ({
  accountId: link.accountId,
  restoredAt: account.restoredAt,
  closesAt: account.closesAt,
  hasTerminal: terminal !== null,
});

/**
 * The reason why no payment by link is accepted, as shown to staff, with the day of a closing (YYYY-MM-DD), which stops
 * card readers too.
 */
export async function viewOnlineBlock(
  deps: Deps,
  accountId: number,
): Promise<Pick<TerminalsReply, 'online_off' | 'closes_on'>> {
  const account = await findAccount(deps.db, accountId);
  if (account && account.closesAt !== null)
    return { online_off: 'closing', closes_on: localDay(account.closesAt, account.timeZone) };
  const block = await temporaryBlock(deps, accountId, account?.restoredAt ?? null);
  return block ? { online_off: block } : {};
}

async function temporaryBlock(
  deps: Deps,
  accountId: number,
  restoredAt: number | null,
): Promise<'catching-up' | 'paused' | null> {
  if (await isCatchingUp(deps, accountId, restoredAt)) return 'catching-up';
  return isPaused(deps) ? 'paused' : null;
}

/**
 * The reason why an account accepts no payment by link now, for any invoice. Used by the charge and by all offers of
 * payment.
 */
export async function paymentBlock(
  deps: Deps,
  { accountId, restoredAt, closesAt, hasTerminal }: PaymentContext,
): Promise<'closing' | 'catching-up' | 'paused' | 'no-terminal' | null> {
  if (closesAt !== null) return 'closing';
  return (await temporaryBlock(deps, accountId, restoredAt)) ?? (hasTerminal ? null : 'no-terminal');
}

/**
 * `released`: an earlier payment may still show up as charged. `not-now`: a temporary reason unrelated to the invoice.
 */
export type NotOfferedReason = 'paying' | 'amount-changed' | 'released' | 'closing' | 'not-now';

/** True for a reason that may pass by itself or by a decision of staff; a queued email waits until then. */
export const isTemporaryReason = (reason: NotOfferedReason | null): boolean =>
  reason === 'released' || reason === 'closing' || reason === 'not-now';

/** The reason why a payer could not pay an invoice's open amount now. Null if none is known. */
export async function findNotOfferedReason(
  deps: Deps,
  invoice: Parameters<typeof invoiceBalance>[0] & Pick<InvoiceRow, 'accountId' | 'invoiceId' | 'collection'>,
): Promise<NotOfferedReason | null> {
  const { db, now } = deps;
  const { accountId, collection } = invoice;
  const at = now();
  const [{ facts, released: releasedAttempts }] = await Promise.all([
    readOfferFacts(db, invoice, at - RELEASE_WINDOW_MS),
    deps.payments.refresh(),
  ]);
  if (!facts) return 'not-now';
  if (facts.isPaying === 1) return 'paying';
  if (facts.isFrozen === 1) return 'amount-changed';
  const block = await paymentBlock(deps, { ...facts, accountId, hasTerminal: facts.hasTerminal === 1 });
  if (block) return block === 'closing' ? block : 'not-now';
  const { owedCents, installments } = invoiceBalance(invoice);
  let part = 1;
  if (installments) {
    const collectionState = await findCollectionState(db, invoice, at);
    if (!collectionState || collectionState.unsettled) return 'not-now';
    part = collectionState.taken + 1;
  }
  const attempt = { amountCents: owedCents ?? 0, collection, part, createdAt: at };
  return allowedMethods(releasedAttempts, attempt).includes('card') ? null : 'released';
}
