import { openInvoiceSortFields } from '../../../../shared/contracts/list-values.ts';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { isRecord, isText, isTextOrNull } from '../api/parse-response.ts';
import type { ListSource } from '../lists/use-list.ts';

const isEmail = (value: unknown) => value === null || (isRecord(value) && isText(value.kind) && isText(value.at));

function isOpenInvoice(value: unknown): value is OpenInvoiceItem {
  if (!isRecord(value) || !isRecord(value.company) || !isRecord(value.customer)) return false;
  const { id, crm_id, invoice_number, currency, status, crm_status, refunded, email, company, customer, customer_id } =
    value;
  const texts = [id, crm_id, invoice_number, currency, status, crm_status, refunded, email, customer_id];
  return (
    [...texts, company.name, customer.first_name, customer.last_name].every(isText) &&
    [value.amount_due, value.due_date, value.link_ends_at].every(isTextOrNull) &&
    isEmail(value.last_email)
  );
}

export const openInvoiceSource: ListSource<OpenInvoiceItem> = {
  path: '/api/invoices/getOpenInvoices',
  readRows: (body) => (Array.isArray(body) && body.every(isOpenInvoice) ? body : null),
  // What is owed first, the longest due at its head.
  sort: 'status',
  sorts: openInvoiceSortFields,
  filters: ['status', 'due_date'],
  // As the ages write it; the server looks closer.
  canFilter: (name, value) => name !== 'due_date' || /^[\d-]*\.\.[\d-]+$/.test(value),
};

export const nameOf = ({ crm_id, invoice_number }: OpenInvoiceItem): string => invoice_number || `Invoice ${crm_id}`;

export const customerOf = ({ customer }: OpenInvoiceItem): string =>
  `${customer.first_name} ${customer.last_name}`.trim();
