import { localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { findInvoice, type InvoiceRow } from '#worker/data/invoices/invoices';
import { findLedgerPayment } from '#worker/data/payments/attempts';
import { findBookedRefund, writeCorrection } from '#worker/data/refunds/corrected-refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import { freezeRemainder } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';

const VOIDED_TEXT = 'The card provider shows that this refund was voided.';
const CHANGED_TEXT = 'The card provider shows another amount for this refund than before.';

/**
 * Corrects a booked refund for which the gateway now shows a different amount: 0 if it was voided or declined after
 * all. The amount that was not refunded is booked back to the clinic. Returns true if a correction was attempted.
 */
export async function correctRefund(
  callerDeps: Deps,
  payment: Pick<Attempt, 'accountId' | 'method'>,
  providerTxnId: string,
  actualCents: number,
): Promise<boolean> {
  const deps = bySystem(callerDeps);
  const bookedRefund = await findBookedRefund(deps.db, payment, providerTxnId);
  if (!bookedRefund) return false;
  const { reversal, attempt } = bookedRefund;
  const bookedCents = reversal.state === 'approved' ? reversal.amountCents : 0;
  if (bookedCents === actualCents) return false;
  const { id: attemptId, accountId, invoiceId, currency, channel, method, cardBrand } = attempt;
  const at = deps.now();
  const entry = {
    accountId,
    providerTxnId: await findFreeId(deps, attempt, `${providerTxnId}-${actualCents === 0 ? 'void' : actualCents}`),
    attemptId,
    invoiceId,
    kind: 'refund',
    corrects: true,
    amountCents: bookedCents - actualCents,
    currency,
    channel,
    method,
    brand: cardBrand,
    at,
    day: localDay(at, await findTimeZone(deps.db, accountId)),
  } as const;
  const event = auditEvent(deps, {
    accountId,
    action: 'reversal.moved',
    subject: ['reversal', reversal.id],
    after: { state: actualCents === 0 ? 'not_done' : 'approved', amountCents: actualCents, payment: attemptId },
  });
  const invoice = await findInvoice(deps.db, accountId, invoiceId);
  const isReopened = invoice !== undefined && invoice.collection > attempt.collection;
  if (isReopened && bookedCents > actualCents) await freezeRest(deps, invoice, bookedCents - actualCents);
  const correction = { cents: actualCents, entry, at, message: actualCents === 0 ? VOIDED_TEXT : CHANGED_TEXT };
  if (!(await writeCorrection(deps.db, reversal, correction, event))) return true;
  deps.log.info('refund-corrected', { accountId, attemptId, reversalId: reversal.id });
  // The invoice was reopened for money that the clinic now has, so it may be paid twice.
  if (isReopened) deps.log.alert('payment-contradicted', { accountId, attemptId, state: attempt.state });
  return true;
}

/**
 * If the reopened invoice is for more than the clinic has kept, it counts as paid in part, and a person decides about
 * the remainder.
 */
async function freezeRest(deps: Deps, invoice: InvoiceRow, keptCents: number): Promise<void> {
  const { owedCents, isSettledHere, installments } = invoiceBalance(invoice);
  if (isSettledHere || installments || owedCents === null || owedCents <= keptCents) return;
  await freezeRemainder(deps, invoice, { balanceCents: owedCents, shownCents: owedCents, openedBy: 0 });
}

/**
 * Returns a ledger id that is not in use yet. The refund's own id is taken, and the same correction may occur again if
 * the amount changes back and forth.
 */
const findFreeId = async ({ db, now }: Deps, attempt: Attempt, id: string): Promise<string> =>
  (await findLedgerPayment(db, attempt, id)) ? `${id}-${now()}` : id;
