import { customFields, lineFields, recipientFields } from './fields.ts';
import { type HubSpotHttp, paths } from './http.ts';
import type { ReadInvoice } from './invoice.ts';
import { lineOf } from './line-item.ts';
import type { CrmAddress, CrmInvoiceSheet, CrmLine, PrintField } from './port.ts';
import { dayOf } from './records.ts';
import { Associations, type CrmObject, CrmObjects } from './wire.ts';

const BATCH = 100;
/** A bound, so that an answer that always names a next page ends. */
const MAX_LINES = 2000;

/** Reads one invoice as printed: with its lines, and the account's custom fields. */
export function hubSpotPreview({ read }: HubSpotHttp, readInvoice: ReadInvoice) {
  async function lineIds(token: string, invoiceId: string): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await read(Associations, token, paths.associations('invoices', 'line_items'), {
        inputs: [{ id: invoiceId, ...(after === undefined ? {} : { after }) }],
      });
      const links = page?.results.find((link) => link.from.id === invoiceId);
      ids.push(...(links?.to ?? []).map(({ toObjectId }) => toObjectId));
      after = links?.paging?.next?.after;
    } while (after !== undefined && ids.length < MAX_LINES);
    return [...new Set(ids)];
  }

  async function readLines(token: string, invoiceId: string): Promise<CrmLine[]> {
    const ids = await lineIds(token, invoiceId);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) =>
      ids.slice(n * BATCH, (n + 1) * BATCH),
    );
    const found = await Promise.all(
      batches.map((batch) =>
        read(CrmObjects, token, paths.batchRead('line_items'), {
          inputs: batch.map((id) => ({ id })),
          properties: lineFields,
          propertiesWithHistory: [],
        }),
      ),
    );
    // Answers come in any order; the links are in the order in which the lines were made.
    const byId = new Map(found.flatMap((page) => page?.results ?? []).map((object) => [object.id, object]));
    return ids.flatMap((id) => byId.get(id) ?? []).map(lineOf);
  }

  return {
    async getInvoiceSheet(token: string, invoiceId: string): Promise<CrmInvoiceSheet | null> {
      const [found, lines] = await Promise.all([
        readInvoice(token, invoiceId, [...customFields, ...recipientFields]),
        readLines(token, invoiceId),
      ]);
      if (!found) return null;
      const { invoice, own } = found;
      return { invoice, customerAddress: addressOf(own, invoice.contactAddress), own: ownFields(own), lines };
    },
  };
}

type Properties = CrmObject['properties'];

function addressOf(own: Properties, contact: CrmAddress): CrmInvoiceSheet['customerAddress'] {
  const isOnInvoice = recipientFields.some((name) => own[name]);
  const part = (name: keyof CrmAddress) => (isOnInvoice ? own[`hs_recipient_shipping_${name}`] : contact[name]) ?? '';
  return { address: part('address'), city: part('city'), state: part('state'), zip: part('zip') };
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
