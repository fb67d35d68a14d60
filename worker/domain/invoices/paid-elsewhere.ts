import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { type LocalPayment, unpaidIncrease } from './unpaid-increase.ts';

/**
 * The amount paid outside the product (cents): the CRM's paid amount minus its records of our payments. It may include
 * payments that staff entered in the CRM without reporting them here, so it is capped at the billed amount minus our
 * payments.
 */
export function paidElsewhere(
  invoice: Pick<CrmInvoice, 'status' | 'balanceCents' | 'billedCents'> & { paidCents: number | null },
  localPayments: LocalPayment[],
): number | null {
  const { billedCents, paidCents } = invoice;
  if (billedCents === null || paidCents === null) return null;
  const takenCents = localPayments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const recordedCents = localPayments.reduce((sum, payment) => sum + payment.recordedCents, 0);
  const externalCents = billedCents - takenCents - (unpaidIncrease(invoice, localPayments) ?? 0);
  return Math.max(Math.min(paidCents - recordedCents, externalCents), 0);
}
