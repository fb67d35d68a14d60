import type { CrmInvoice } from '#worker/vendors/hubspot/port';

/** A payment of the invoice that was taken here, or a bank debit under way (cents). `toldCents`: what the CRM's balance has of it. */
export type TakenHere = { amountCents: number; toldCents: number };

/**
 * By how much the CRM's invoice rose after it was paid here (cents): nobody is asked for it, since the invoice is closed.
 * Its balance is only compared, as our payments may or may not be in it. Null: it did not rise, or that cannot be told.
 */
export function unpaidChange(
  { status, balanceCents, billedCents }: Pick<CrmInvoice, 'status' | 'balanceCents' | 'billedCents'>,
  taken: TakenHere[],
): number | null {
  if (status !== 'open' || balanceCents === null || balanceCents <= 0 || taken.length === 0) return null;
  const takenCents = taken.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const untoldCents = taken.reduce((sum, { amountCents, toldCents }) => sum + Math.max(amountCents - toldCents, 0), 0);
  if (balanceCents >= untoldCents) return balanceCents - untoldCents || null;
  // Staff have entered the payments there themselves, where the balance is just what they leave of the billed amount.
  return billedCents !== null && billedCents - takenCents === balanceCents ? balanceCents : null;
}

/**
 * What was paid of an invoice outside of the product (cents): what the CRM has as paid, less its records of our payments.
 * Those that staff entered there without a word here are in it too, so it is no more than ours leave of the billed amount.
 */
export function paidElsewhere(
  invoice: Pick<CrmInvoice, 'status' | 'balanceCents' | 'billedCents'> & { paidCents: number | null },
  taken: TakenHere[],
): number | null {
  const { billedCents, paidCents } = invoice;
  if (billedCents === null || paidCents === null) return null;
  const takenCents = taken.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const toldCents = taken.reduce((sum, one) => sum + one.toldCents, 0);
  const notOursCents = billedCents - takenCents - (unpaidChange(invoice, taken) ?? 0);
  return Math.max(Math.min(paidCents - toldCents, notOursCents), 0);
}
