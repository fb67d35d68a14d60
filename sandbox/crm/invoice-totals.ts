import { decimalFromCents, parseCents } from '#shared/money';
import type { World } from '../world.ts';
import { INVOICE, LINE_ITEM } from './object-types.ts';
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

/** A succeeded payment record is the documented way to bring an invoice to paid from outside. */
export function settleInvoice(world: World, hubId: number, id: number, payment: Properties) {
  const record = findRecord(world, hubId, INVOICE, String(id));
  if (!record || payment.hs_latest_status !== 'succeeded') return;
  const invoice: Properties = JSON.parse(record.properties);
  const paid = (parseCents(invoice.hs_amount_paid) ?? 0) + (parseCents(payment.hs_initial_amount) ?? 0);
  const balance = Math.max(0, (parseCents(invoice.hs_amount_billed) ?? 0) - paid);
  saveProperties(world, hubId, INVOICE, id, {
    ...invoice,
    hs_amount_paid: decimalFromCents(paid),
    hs_balance_due: decimalFromCents(balance),
    ...(balance === 0 ? { hs_invoice_status: 'paid', hs_payment_date: new Date(world.now()).toISOString() } : {}),
  });
}

/** "INV-1042": the hub's own prefix and a number that the hub never used before. */
export function nextNumber(world: World, hubId: number): string {
  const [prefix = 'INV', number = '1001'] = (world.store.meta(`next-number:${hubId}`) ?? '').split(':');
  world.store.setMeta(`next-number:${hubId}`, `${prefix}:${Number(number) + 1}`);
  return `${prefix}-${number}`;
}
