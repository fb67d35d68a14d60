import { ONLINE_CURRENCY } from '#shared/money';
import {
  type CollectionState,
  findCollectionState,
  freezeCollection,
  openFrozenCollection,
} from '#worker/data/installments/collections';
import { type InvoiceRow, saveInvoice } from '#worker/data/invoices/invoices';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { invoiceBalance } from './invoice-balance.ts';

/** For this long (ms) after we write a record, the CRM's response may be from before it. */
const RECENT_RECORD_MS = 60_000;

/** The balance (cents) that the CRM should show if only our own records have changed it. */
export const expectedBalance = ({ crmBalanceCents, movedCents }: CollectionState): number =>
  crmBalanceCents - movedCents;

/** True if the CRM's invoice is unchanged since the collection was opened, except for our own records. */
export const matchesCrm = (collectionState: CollectionState, crmInvoice: CrmInvoice): boolean =>
  crmInvoice.status === 'open' &&
  crmInvoice.currency === ONLINE_CURRENCY &&
  crmInvoice.balanceCents === expectedBalance(collectionState) &&
  crmInvoice.billedCents === collectionState.crmBilledCents;

/** Freezes an invoice in installments if a CRM response shows a changed amount. True if it is frozen. */
export async function freezeIfChanged(deps: Deps, invoice: InvoiceRow, crmInvoice: CrmInvoice): Promise<boolean> {
  if (invoiceBalance(invoice).isSettledHere) return false;
  const collectionState = await findCollectionState(deps.db, invoice, deps.now());
  if (collectionState?.state !== 'open') return collectionState?.state === 'frozen';
  return !matchesCrm(collectionState, crmInvoice) && freezeAsShown(deps, collectionState, crmInvoice);
}

/**
 * Blocks payments of an invoice until staff decide what is owed. False if one of our own records, pending or just
 * written, may explain the change.
 */
export async function freezeAsShown(
  deps: Deps,
  collectionState: CollectionState,
  crmInvoice: CrmInvoice,
): Promise<boolean> {
  const { accountId, invoiceId, unsettled, movedAt } = collectionState;
  if (unsettled || deps.now() - movedAt < RECENT_RECORD_MS) return false;
  const event = auditEvent(bySystem(deps), {
    accountId,
    action: 'parts.frozen',
    subject: ['invoice', invoiceId],
    before: { balanceCents: expectedBalance(collectionState) },
    after: { balanceCents: crmInvoice.balanceCents, status: crmInvoice.status },
  });
  const observedBalance = { balanceCents: crmInvoice.balanceCents, at: deps.now() };
  if (!(await freezeCollection(deps.db, collectionState, observedBalance, event))) return false;
  deps.log.info('parts-frozen', { accountId, invoiceId });
  return true;
}

/**
 * Blocks payments of an invoice that is payable only in full, but was paid in part, until staff decide what is owed.
 * `balanceCents`: the full balance; `shownCents`: the balance that the CRM shows.
 */
export async function freezeRemainder(
  deps: Deps,
  { accountId, invoiceId, collection: n, status, billedCents }: InvoiceRow,
  { balanceCents, shownCents, openedBy }: { balanceCents: number; shownCents: number; openedBy: number },
): Promise<void> {
  const event = auditEvent(deps, {
    accountId,
    action: 'parts.frozen',
    subject: ['invoice', invoiceId],
    before: { balanceCents },
    after: { balanceCents: shownCents, status },
  });
  await openFrozenCollection(
    deps.db,
    { accountId, invoiceId, n, balanceCents, billedCents, openedBy, at: deps.now() },
    event,
  );
}

/**
 * Saves the CRM's invoice as read at `readAt` (UTC ms), and freezes it if it is in installments and its amount has
 * changed. True if it is frozen. `storedInvoice`: the row as loaded, if the invoice is stored.
 */
export async function recordCrmInvoice(
  deps: Deps,
  accountId: number,
  {
    storedInvoice,
    crmInvoice,
    readAt,
  }: { storedInvoice: InvoiceRow | null | undefined; crmInvoice: CrmInvoice; readAt: number },
): Promise<boolean> {
  await saveInvoice(deps.db, accountId, crmInvoice, readAt);
  if (!storedInvoice || storedInvoice.partBaseCents === null) return false;
  return freezeIfChanged(deps, storedInvoice, crmInvoice);
}

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
