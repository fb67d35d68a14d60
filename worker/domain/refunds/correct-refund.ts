import { localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { findInvoice } from '#worker/data/invoices/invoices';
import { findLedgerPayment } from '#worker/data/payments/attempts';
import { findBookedRefund, writeCorrection } from '#worker/data/refunds/corrected-refunds';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';

const VOIDED = 'The card provider shows that this refund was voided.';
const CHANGED = 'The card provider shows another amount for this refund than before.';

/**
 * Let our books follow a refund that they have, and of which the gateway now shows another amount: 0 where it was voided
 * or declined after all. What did not go back is the clinic's again. Answers whether it tried.
 */
export async function correctRefund(
  asked: Deps,
  shown: Pick<Attempt, 'accountId' | 'method'>,
  providerTxnId: string,
  shownCents: number,
): Promise<boolean> {
  const deps = bySystem(asked);
  const booked = await findBookedRefund(deps.db, shown, providerTxnId);
  if (!booked) return false;
  const { reversal, attempt } = booked;
  const bookedCents = reversal.state === 'approved' ? reversal.amountCents : 0;
  if (bookedCents === shownCents) return false;
  const { id: attemptId, accountId, invoiceId, currency, channel, method, cardBrand } = attempt;
  const at = deps.now();
  const entry = {
    accountId,
    providerTxnId: await freeId(deps, attempt, `${providerTxnId}-${shownCents === 0 ? 'void' : shownCents}`),
    attemptId,
    invoiceId,
    kind: 'refund',
    amountCents: bookedCents - shownCents,
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
    after: { state: shownCents === 0 ? 'not_done' : 'approved', amountCents: shownCents, payment: attemptId },
  });
  const correction = { cents: shownCents, entry, at, message: shownCents === 0 ? VOIDED : CHANGED };
  if (!(await writeCorrection(deps.db, reversal, correction, event))) return true;
  deps.log.info('refund-corrected', { accountId, attemptId, reversalId: reversal.id });
  const invoice = await findInvoice(deps.db, accountId, invoiceId);
  // The invoice was opened again for money that the clinic now has: it may be paid twice.
  if (invoice && invoice.collection > attempt.collection)
    deps.log.alert('payment-contradicted', { accountId, attemptId, state: attempt.state });
  return true;
}

/** The ledger has the refund under its own id already, and may have this correction from before: it may change to and fro. */
const freeId = async ({ db, now }: Deps, attempt: Attempt, id: string): Promise<string> =>
  (await findLedgerPayment(db, attempt, id)) ? `${id}-${now()}` : id;
