import { parseCents } from '#shared/money';
import { allowsPartsField, customFields, paidField, recipientFields } from './fields.ts';
import type { ReadInvoice } from './invoice.ts';
import type { ReadLines } from './lines.ts';
import type { CrmAddress, CrmInvoiceSheet, PrintField } from './port.ts';
import { dayOf } from './records.ts';
import type { CrmObject } from './wire.ts';

type Reads = { readInvoice: ReadInvoice; readLines: ReadLines };

/** Reads one invoice as printed: with its lines, and the account's custom fields. Null: the CRM does not have it. */
export async function readInvoiceSheet(
  { readInvoice, readLines }: Reads,
  token: string,
  invoiceId: string,
): Promise<CrmInvoiceSheet | null> {
  const [found, lines] = await Promise.all([
    readInvoice(token, invoiceId, [...customFields, ...recipientFields, allowsPartsField, paidField]),
    readLines(token, invoiceId),
  ]);
  if (!found) return null;
  const { invoice, own } = found;
  const customerAddress = addressOf(own, invoice.contactAddress);
  return {
    invoice,
    customerAddress,
    allowsParts: allowsParts(own),
    paidCents: parseCents(own[paidField]),
    own: ownFields(own),
    lines,
  };
}

type Properties = CrmObject['properties'];

function addressOf(own: Properties, contact: CrmAddress): CrmInvoiceSheet['customerAddress'] {
  const isOnInvoice = recipientFields.some((name) => own[name]);
  const part = (name: keyof CrmAddress) => (isOnInvoice ? own[`hs_recipient_shipping_${name}`] : contact[name]) ?? '';
  return { address: part('address'), city: part('city'), state: part('state'), zip: part('zip') };
}

function allowsParts({ [allowsPartsField]: said }: Properties): boolean | null {
  return said === 'true' ? true : said === 'false' ? false : null;
}

function ownFields(own: Properties): CrmInvoiceSheet['own'] {
  const text = (name: PrintField) => own[name] ?? '';
  return {
    clinic_name: text('clinic_name'),
    clinic_address: text('clinic_address'),
    clinic_phone: text('clinic_phone'),
    customer_name: text('customer_name'),
    customer_address: text('customer_address'),
    payment_method: text('payment_method'),
    payment_date: dayOf(own.payment_date) ?? '',
    paid_via: text('paid_via'),
    transaction_id: text('transaction_id'),
    receipt_id: text('receipt_id'),
  };
}
