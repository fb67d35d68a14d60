import type { CrmInvoice } from '#worker/vendors/hubspot/port';

/**
 * A payment of the invoice taken here, or a pending bank debit (cents). `recordedCents`: the part that the CRM's
 * balance already includes.
 */
export type LocalPayment = { amountCents: number; recordedCents: number };

/**
 * The increase of an invoice in the CRM after it was paid here (cents). It is not collected, since the invoice is
 * closed. The balance is only compared, as it may or may not include our payments. Null if there is no increase, or it
 * is unknown.
 */
export function unpaidIncrease(
  { status, balanceCents, billedCents }: Pick<CrmInvoice, 'status' | 'balanceCents' | 'billedCents'>,
  localPayments: LocalPayment[],
): number | null {
  if (status !== 'open' || balanceCents === null || balanceCents <= 0 || localPayments.length === 0) return null;
  const takenCents = localPayments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const unrecordedCents = localPayments.reduce(
    (sum, { amountCents, recordedCents }) => sum + Math.max(amountCents - recordedCents, 0),
    0,
  );
  if (balanceCents >= unrecordedCents) return balanceCents - unrecordedCents || null;
  // Staff have entered the payments in the CRM themselves, so the balance is the billed amount minus our payments.
  return billedCents !== null && billedCents - takenCents === balanceCents ? balanceCents : null;
}
