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

/** "INV-1042": the hub's own prefix and a number that the hub never used before. */
export function nextNumber(world: World, hubId: number): string {
  const [prefix = 'INV', number = '1001'] = (world.store.meta(`next-number:${hubId}`) ?? '').split(':');
  world.store.setMeta(`next-number:${hubId}`, `${prefix}:${Number(number) + 1}`);
  return `${prefix}-${number}`;
}
