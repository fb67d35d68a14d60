import { ONLINE_CURRENCY } from '#shared/money';
import { type InvoiceRow, saveInvoice } from '#worker/data/invoices/invoices';
import { findStanding, freeze, openFrozen, type Standing } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { invoiceBalance } from './invoice-balance.ts';

/** For so long (ms) after a record of ours was written, the CRM's answer may be from before it. */
const JUST_MOVED_MS = 60_000;

/** The CRM's balance (cents) of an invoice of which it knows no more than we told it. */
export const expectedBalance = ({ crmBalanceCents, movedCents }: Standing): number => crmBalanceCents - movedCents;

/** Whether the CRM shows the invoice as it was when the collection was opened, but for records of ours. */
export const agrees = (standing: Standing, fresh: CrmInvoice): boolean =>
  fresh.status === 'open' &&
  fresh.currency === ONLINE_CURRENCY &&
  fresh.balanceCents === expectedBalance(standing) &&
  fresh.billedCents === standing.crmBilledCents;

/**
 * Where the CRM's amount of an invoice in parts is read for another reason: freeze it if it is another one than it was.
 * Answers whether it is frozen.
 */
export async function freezeIfChanged(deps: Deps, invoice: InvoiceRow, fresh: CrmInvoice): Promise<boolean> {
  if (invoiceBalance(invoice).isSettledHere) return false;
  const standing = await findStanding(deps.db, invoice, deps.now());
  if (standing?.state !== 'open') return standing?.state === 'frozen';
  return !agrees(standing, fresh) && freezeAsShown(deps, standing, fresh);
}

/**
 * Let nothing more be paid of it until a person has said what is owed. False: a record of ours that is on its way, or has
 * just been written, may be all that has moved the amount.
 */
export async function freezeAsShown(deps: Deps, standing: Standing, fresh: CrmInvoice): Promise<boolean> {
  const { accountId, invoiceId, unsettled, movedAt } = standing;
  if (unsettled || deps.now() - movedAt < JUST_MOVED_MS) return false;
  const event = auditEvent(bySystem(deps), {
    accountId,
    action: 'parts.frozen',
    subject: ['invoice', invoiceId],
    before: { balanceCents: expectedBalance(standing) },
    after: { balanceCents: fresh.balanceCents, status: fresh.status },
  });
  const shown = { balanceCents: fresh.balanceCents, at: deps.now() };
  if (!(await freeze(deps.db, standing, shown, event))) return false;
  deps.log.info('parts-frozen', { accountId, invoiceId });
  return true;
}

/**
 * Let nothing more be paid of an invoice that is paid whole and that money pays in part, until a person has said what is
 * owed. `balanceCents`: what it comes to; `shownCents`: what the CRM shows of that.
 */
export async function freezeRest(
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
  await openFrozen(deps.db, { accountId, invoiceId, n, balanceCents, billedCents, openedBy, at: deps.now() }, event);
}

/**
 * Save what the CRM says of an invoice at `readAt` (ms). One in parts, of which it shows another amount than it did, is
 * frozen, and the answer is whether it is. `kept`: the row as it was loaded, none where the invoice is new here.
 */
export async function noteAmount(
  deps: Deps,
  accountId: number,
  { kept, fresh, readAt }: { kept: InvoiceRow | null | undefined; fresh: CrmInvoice; readAt: number },
): Promise<boolean> {
  await saveInvoice(deps.db, accountId, fresh, readAt);
  if (!kept || kept.partBaseCents === null) return false;
  return freezeIfChanged(deps, kept, fresh);
}

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
