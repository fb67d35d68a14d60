import { decimalFromCents, parseCents } from '#shared/money';
import { COMPANY, CONTACT, INVOICE, LINE_ITEM } from '../crm/object-types.ts';
import { associate, insertRecord, type Properties } from '../crm/records.ts';
import type { World } from '../world.ts';

export type LineItem = {
  name: string;
  price?: string | null;
  quantity?: string | null;
  amount?: string | null;
  hs_sku?: string;
  description?: string;
};

export type InvoiceDraft = {
  number: string | null;
  title?: string;
  status: 'draft' | 'open' | 'paid' | 'voided';
  currency?: string;
  /** Decimal text. The default is the sum of the lines. */
  amount?: string;
  paid?: string;
  /** The default is the amount less the paid amount, or null on a draft. */
  balance?: string | null;
  createdMs: number;
  /** The default is `createdMs`. */
  modifiedMs?: number;
  /** YYYY-MM-DD */
  dueDate: string;
  contactIds: number[];
  companyId: number | null;
  lines: LineItem[];
  extra?: Properties;
};

/** A line's `amount` in HubSpot, in cents; by default, the price times the quantity. */
export function lineCents(line: LineItem): number {
  return parseCents(line.amount) ?? (parseCents(line.price) ?? 0) * Number(line.quantity ?? 1);
}

function balanceOf(draft: InvoiceDraft, billedCents: number, paidCents: number): string | null {
  if (draft.balance !== undefined) return draft.balance;
  if (draft.status === 'draft') return null;
  return decimalFromCents(draft.status === 'open' ? billedCents - paidCents : 0);
}

/** Inserts an invoice as `id`, and its line items under consecutive ids from `firstLineId`. */
export function insertInvoice(world: World, hubId: number, id: number, firstLineId: number, draft: InvoiceDraft) {
  const billedCents = parseCents(draft.amount) ?? draft.lines.reduce((sum, line) => sum + lineCents(line), 0);
  const paidCents = parseCents(draft.paid) ?? (draft.status === 'paid' ? billedCents : 0);
  const createdAt = new Date(draft.createdMs).toISOString();
  const isIssued = draft.status !== 'draft';
  insertRecord(
    world,
    hubId,
    INVOICE,
    id,
    {
      hs_number: draft.number,
      hs_title: draft.title ?? null,
      hs_invoice_status: draft.status,
      hs_currency: draft.currency ?? 'USD',
      hs_invoice_date: createdAt,
      hs_due_date: `${draft.dueDate}T00:00:00.000Z`,
      hs_amount_billed: decimalFromCents(billedCents),
      hs_amount_paid: decimalFromCents(paidCents),
      hs_balance_due: balanceOf(draft, billedCents, paidCents),
      hs_payment_date: draft.status === 'paid' ? new Date(draft.createdMs + 5 * 86_400_000).toISOString() : null,
      hs_invoice_billable: 'true',
      hs_invoice_link: isIssued ? `https://app.hubspot.example/invoices/${hubId}/${id}` : null,
      ...draft.extra,
    },
    draft.createdMs,
    draft.modifiedMs,
  );
  for (const contactId of draft.contactIds) associate(world, hubId, INVOICE, id, CONTACT, contactId);
  if (draft.companyId !== null) associate(world, hubId, INVOICE, id, COMPANY, draft.companyId);
  for (const [index, line] of draft.lines.entries()) {
    const properties: Properties = {
      name: line.name,
      description: line.description ?? null,
      hs_sku: line.hs_sku ?? null,
      price: line.price ?? null,
      quantity: line.quantity === undefined ? '1' : line.quantity,
      amount: line.amount === undefined ? decimalFromCents(lineCents(line)) : line.amount,
      hs_line_item_currency_code: draft.currency ?? 'USD',
    };
    insertRecord(world, hubId, LINE_ITEM, firstLineId + index, properties, draft.createdMs);
    associate(world, hubId, INVOICE, id, LINE_ITEM, firstLineId + index);
  }
}
