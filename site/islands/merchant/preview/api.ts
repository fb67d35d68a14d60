import {
  type FooterTextBody,
  FooterTextReply,
  InvoicePreviewReply,
  type SignatureBody,
  SignatureReply,
} from '#shared/contracts/lists/invoice-preview';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { InvoiceReminders, type InvoiceRemindersBody } from '#shared/contracts/payments/reminders';
import { type Reader, readWith } from '#site/islands/ui/api/parse-response.ts';
import { api, sendJson } from '../api/api.ts';

/** An invoice and the age of its data. */
export type LoadedPreview = { invoice: InvoicePreviewReply; asOf: string | null; isStale: boolean };

const readInvoice = readWith(InvoicePreviewReply);
const readPreview: Reader<LoadedPreview> = (body, headers) => {
  const invoice = readInvoice(body);
  return (
    invoice && {
      invoice,
      asOf: headers.get(listHeaders.asOf),
      isStale: headers.get(listHeaders.isStale) === 'true',
    }
  );
};
const readSignature = readWith(SignatureReply);
const readFooter = readWith(FooterTextReply, ({ footer_text }) => footer_text);
const readReminders = readWith(InvoiceReminders);
const readImage: Reader<Blob> = (body) => (body instanceof Blob ? body : null);

const invoicePath = (id: string) => `/api/invoices/${encodeURIComponent(id)}`;
const signaturePath = (id: string) => `${invoicePath(id)}/signature`;

export const getPreview = (id: string) => api.call(invoicePath(id), readPreview);
export const getReminders = (id: string) => api.call(`${invoicePath(id)}/reminders`, readReminders);
export const excludeFromReminders = (id: string, is_excluded: boolean) =>
  api.call(`${invoicePath(id)}/reminders`, readReminders, sendJson<InvoiceRemindersBody>('PUT', { is_excluded }));
export const getSignature = (id: string) => api.call(signaturePath(id), readImage);
export const saveSignature = (id: string, image: string) =>
  api.call(signaturePath(id), readSignature, sendJson<SignatureBody>('PUT', { signature: image }));
export const removeSignature = (id: string) => api.call(signaturePath(id), readSignature, { method: 'DELETE' });
const FOOTER_PATH = '/api/token/footer-text';
export const getFooterText = () => api.call(FOOTER_PATH, readFooter);
export const saveFooterText = (text: string) =>
  api.call(FOOTER_PATH, readFooter, sendJson<FooterTextBody>('PUT', { footer_text: text }));
