import { decimalFromCents, parseCents } from '#shared/money';
import { hubs } from '../credentials.ts';
import type { World } from '../world.ts';
import { INVOICE, LINE_ITEM } from './object-types.ts';
import { CrmProblem, invalid } from './problem.ts';
import { findRecord, linksOf, type Properties, saveProperties } from './records.ts';

/** HubSpot computes an invoice's total from its line items; a draft has no balance and gets its number when opened. */
export function recomputeInvoice(world: World, hubId: number, id: number) {
  const record = findRecord(world, hubId, INVOICE, String(id));
  if (!record) return;
  const invoice: Properties = JSON.parse(record.properties);
  let billed = 0;
  for (const link of linksOf(world, hubId, INVOICE, id, LINE_ITEM, 0, 500)) {
    const item: Properties = JSON.parse(findRecord(world, hubId, LINE_ITEM, String(link.to_id))?.properties ?? '{}');
    billed += parseCents(item.amount) ?? Math.round(Number(item.price ?? 0) * Number(item.quantity ?? 1) * 100);
  }
  const paid = parseCents(invoice.hs_amount_paid) ?? 0;
  const isDraft = invoice.hs_invoice_status === 'draft';
  saveProperties(world, hubId, INVOICE, id, {
    ...invoice,
    hs_amount_billed: decimalFromCents(billed),
    hs_amount_paid: decimalFromCents(paid),
    hs_balance_due: isDraft ? null : decimalFromCents(Math.max(0, billed - paid)),
    hs_number: invoice.hs_number ?? (isDraft ? null : nextNumber(world, hubId)),
  });
}

/** "INV-1042": the hub's prefix and a number that the hub never used before. */
export function nextNumber(world: World, hubId: number): string {
  const [prefix = 'INV', number = '1001'] = (world.store.meta(`next-number:${hubId}`) ?? '').split(':');
  world.store.setMeta(`next-number:${hubId}`, `${prefix}:${Number(number) + 1}`);
  return `${prefix}-${number}`;
}

/** How the account treats payment records. No document states which mode applies, so the `payments` setting decides. */
const paymentsOf = (world: World, hubId: number) =>
  world.settings(hubId).payments ?? (hubId === hubs[1].hubId ? 'on' : 'off');

/** Cents by which a payment record reduces its invoice: 0 until it succeeded, then its amount less refunds. */
function countedCents(payment: Properties): number {
  if (!['succeeded', 'partially_refunded', 'refunded'].includes(payment.hs_latest_status ?? '')) return 0;
  return (parseCents(payment.hs_initial_amount) ?? 0) - (parseCents(payment.hs_refunds_amount) ?? 0);
}

/** Throws a CrmProblem if this account does not accept this payment record for this invoice. */
export function requirePayments(world: World, hubId: number, invoiceId: number | undefined, payment: Properties) {
  const payments = paymentsOf(world, hubId);
  if (payments === 'off') {
    const message = 'This account must be set up for HubSpot payments or Stripe payment processing.';
    throw new CrmProblem(403, message, { category: 'FORBIDDEN' });
  }
  if (payments === 'record-only' || invoiceId === undefined) return;
  const invoice = invoiceOf(world, hubId, invoiceId);
  const [owed, counted] = [parseCents(invoice.hs_balance_due) ?? 0, countedCents(payment)];
  if (counted > owed) throw invalid('The total of payments cannot exceed the amount due on the invoice.');
  if (payments === 'no-parts' && counted < owed && counted > 0 && invoice.hs_allow_partial_payments !== 'true')
    throw invalid('Partial payments are not allowed on this invoice.');
}

/** Applies the change of a payment record to the balance and status of its invoice. */
export function countPayment(world: World, hubId: number, invoiceId: number, before: Properties, after: Properties) {
  const change = countedCents(after) - countedCents(before);
  if (change === 0 || paymentsOf(world, hubId) === 'record-only') return;
  const invoice = invoiceOf(world, hubId, invoiceId);
  const paid = (parseCents(invoice.hs_amount_paid) ?? 0) + change;
  const owed = Math.max(0, (parseCents(invoice.hs_amount_billed) ?? 0) - paid);
  saveProperties(world, hubId, INVOICE, invoiceId, {
    ...invoice,
    hs_amount_paid: decimalFromCents(paid),
    hs_balance_due: decimalFromCents(owed),
    hs_invoice_status: owed === 0 ? 'paid' : 'open',
    hs_payment_date: owed === 0 ? new Date(world.now()).toISOString() : null,
  });
}

const invoiceOf = (world: World, hubId: number, id: number): Properties =>
  JSON.parse(findRecord(world, hubId, INVOICE, String(id))?.properties ?? '{}');
