import { decimalFromCents, parseCents } from '#shared/money';
import { hubs } from '../credentials.ts';
import type { World } from '../world.ts';
import { INVOICE, LINE_ITEM } from './object-types.ts';
import { CrmProblem, invalidRequest } from './problem.ts';
import { findRecord, linksOf, type Properties, saveProperties } from './records.ts';

/**
 * Computes an invoice's total from its line items, as HubSpot does. A draft has no balance, and gets its number when it
 * is opened.
 */
export function recomputeInvoice(world: World, hubId: number, id: number) {
  const record = findRecord(world, hubId, INVOICE, String(id));
  if (!record) return;
  const invoice: Properties = JSON.parse(record.properties);
  let billedCents = 0;
  for (const link of linksOf(world, hubId, INVOICE, id, LINE_ITEM, 0, 500)) {
    const item: Properties = JSON.parse(findRecord(world, hubId, LINE_ITEM, String(link.to_id))?.properties ?? '{}');
    billedCents += parseCents(item.amount) ?? Math.round(Number(item.price ?? 0) * Number(item.quantity ?? 1) * 100);
  }
  const paidCents = parseCents(invoice.hs_amount_paid) ?? 0;
  const isDraft = invoice.hs_invoice_status === 'draft';
  saveProperties(world, hubId, INVOICE, id, {
    ...invoice,
    hs_amount_billed: decimalFromCents(billedCents),
    hs_amount_paid: decimalFromCents(paidCents),
    hs_balance_due: isDraft ? null : decimalFromCents(Math.max(0, billedCents - paidCents)),
    hs_number: invoice.hs_number ?? (isDraft ? null : nextNumber(world, hubId)),
  });
}

/** Returns the hub's prefix and a number that the hub has never used, such as "INV-1042". */
export function nextNumber(world: World, hubId: number): string {
  const [prefix = 'INV', number = '1001'] = (world.store.meta(`next-number:${hubId}`) ?? '').split(':');
  world.store.setMeta(`next-number:${hubId}`, `${prefix}:${Number(number) + 1}`);
  return `${prefix}-${number}`;
}

/** The account's treatment of payment records. No document states which one applies, so the setting decides. */
const paymentModeOf = (world: World, hubId: number) =>
  world.settings(hubId).payments ?? (hubId === hubs[1].hubId ? 'on' : 'off');

/** Cents by which a payment record reduces its invoice. Once it has succeeded, this is its amount less refunds. */
function netPaymentCents(payment: Properties): number {
  if (!['succeeded', 'partially_refunded', 'refunded'].includes(payment.hs_latest_status ?? '')) return 0;
  return (parseCents(payment.hs_initial_amount) ?? 0) - (parseCents(payment.hs_refunds_amount) ?? 0);
}

/** Throws a CrmProblem if the account does not accept the payment record for the invoice. */
export function requireAcceptedPayment(
  world: World,
  hubId: number,
  invoiceId: number | undefined,
  payment: Properties,
) {
  const mode = paymentModeOf(world, hubId);
  if (mode === 'off') {
    const message = 'This account must be set up for HubSpot payments or Stripe payment processing.';
    throw new CrmProblem(403, message, { category: 'FORBIDDEN' });
  }
  if (mode === 'record-only' || invoiceId === undefined) return;
  const invoice = invoiceOf(world, hubId, invoiceId);
  const [dueCents, paymentCents] = [parseCents(invoice.hs_balance_due) ?? 0, netPaymentCents(payment)];
  if (paymentCents > dueCents)
    throw invalidRequest('The total of payments cannot exceed the amount due on the invoice.');
  if (
    mode === 'no-parts' &&
    paymentCents < dueCents &&
    paymentCents > 0 &&
    invoice.hs_allow_partial_payments !== 'true'
  )
    throw invalidRequest('Partial payments are not allowed on this invoice.');
}

/** Applies the change of a payment record to the balance and status of its invoice. */
export function countPayment(
  world: World,
  hubId: number,
  invoiceId: number,
  previous: Properties,
  updated: Properties,
) {
  const changeCents = netPaymentCents(updated) - netPaymentCents(previous);
  if (changeCents === 0 || paymentModeOf(world, hubId) === 'record-only') return;
  const invoice = invoiceOf(world, hubId, invoiceId);
  const paidCents = (parseCents(invoice.hs_amount_paid) ?? 0) + changeCents;
  const dueCents = Math.max(0, (parseCents(invoice.hs_amount_billed) ?? 0) - paidCents);
  saveProperties(world, hubId, INVOICE, invoiceId, {
    ...invoice,
    hs_amount_paid: decimalFromCents(paidCents),
    hs_balance_due: decimalFromCents(dueCents),
    hs_invoice_status: dueCents === 0 ? 'paid' : 'open',
    hs_payment_date: dueCents === 0 ? new Date(world.now()).toISOString() : null,
  });
}

const invoiceOf = (world: World, hubId: number, id: number): Properties =>
  JSON.parse(findRecord(world, hubId, INVOICE, String(id))?.properties ?? '{}');
