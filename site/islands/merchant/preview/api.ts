import type { InvoicePreviewReply } from '../../../../shared/contracts/lists.ts';
import { listHeaders } from '../../../../shared/contracts/lists.ts';
import { api, sendJson } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';
import { readLink } from '../pay-links/pay-link.ts';

type Properties = InvoicePreviewReply['properties'];
type Line = InvoicePreviewReply['lineItemData'][number];

/** An invoice, and how fresh it is. */
export type Seen = { invoice: InvoicePreviewReply; asOf: string | null; isStale: boolean };

const texts = [
  ...['hs_number', 'hs_invoice_status', 'hs_currency', 'clinic_name', 'clinic_address', 'clinic_phone'],
  ...['customer_name', 'customer_address', 'payment_method', 'paid_via', 'transaction_id', 'receipt_id'],
];
const maybeTexts = [
  ...['hs_amount_billed', 'hs_balance_due', 'hs_due_date', 'hs_createdate', 'hs_lastmodifieddate'],
  ...['hs_invoice_date', 'payment_date'],
];

const isMaybeText = (value: unknown): value is string | null => value === null || isText(value);
const isProperties = (value: unknown): value is Properties =>
  isRecord(value) && texts.every((name) => isText(value[name])) && maybeTexts.every((name) => isMaybeText(value[name]));
const isLine = (value: unknown): value is Line => {
  if (!isRecord(value) || !isText(value.id) || !isRecord(value.properties)) return false;
  const { name, amount, quantity } = value.properties;
  return isText(name) && isMaybeText(amount) && isMaybeText(quantity);
};
const isMailed = (value: unknown): value is InvoicePreviewReply['mailed'] =>
  value === null || value === 'pay-link' || value === 'receipt';

export const readPreview: Reader<Seen> = (body, headers) => {
  if (!isRecord(body) || !isProperties(body.properties) || !Array.isArray(body.lineItemData)) return null;
  const { id, properties, crm_status, lineItemData, lines_match, footer_text, can_edit_footer, pay_link } = body;
  const { signature_saved_at, email, mailed_at, mailed, receipt_url, payment_id, can_collect_again } = body;
  const link = pay_link === null ? null : readLink(pay_link, headers);
  if (!isText(id) || !isText(crm_status) || !isText(footer_text) || !isText(email)) return null;
  if (typeof lines_match !== 'boolean' || typeof can_edit_footer !== 'boolean' || !lineItemData.every(isLine))
    return null;
  if (!isMaybeText(signature_saved_at) || !isMaybeText(mailed_at) || !isMaybeText(receipt_url)) return null;
  if (!isMaybeText(payment_id) || typeof can_collect_again !== 'boolean') return null;
  if (!isMailed(mailed) || (pay_link !== null && link === null)) return null;
  return {
    invoice: {
      ...{ id, properties, crm_status, lineItemData, lines_match, footer_text, can_edit_footer, pay_link: link },
      ...{ signature_saved_at, email, mailed_at, mailed, receipt_url, payment_id, can_collect_again },
    },
    asOf: headers.get(listHeaders.asOf),
    isStale: headers.get(listHeaders.isStale) === 'true',
  };
};

const address = (id: string) => `/api/invoices/${encodeURIComponent(id)}`;
const signature = (id: string) => `${address(id)}/signature`;

type Kept = { signature_saved_at: string | null };
const readKept: Reader<Kept> = (body) =>
  isRecord(body) && isMaybeText(body.signature_saved_at) ? { signature_saved_at: body.signature_saved_at } : null;
const readFooter: Reader<string> = (body) => (isRecord(body) && isText(body.footer_text) ? body.footer_text : null);
const readPicture: Reader<Blob> = (body) => (body instanceof Blob ? body : null);

export const getPreview = (id: string) => api.call(address(id), readPreview);
export const getSignature = (id: string) => api.call(signature(id), readPicture);
export const keepSignature = (id: string, image: string) =>
  api.call(signature(id), readKept, sendJson('PUT', { signature: image }));
export const dropSignature = (id: string) => api.call(signature(id), readKept, { method: 'DELETE' });
export const saveFooterText = (text: string) =>
  api.call('/api/token/footer-text', readFooter, sendJson('PUT', { footer_text: text }));
