import { openInvoiceSortFields } from '../../../../shared/contracts/list-values.ts';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { isRecord, isText, isTextOrNull } from '../api/parse-response.ts';
import type { ListSource } from '../lists/use-list.ts';

/** The contract's words in one text: its lists would be loaded with all else that is said of mails. */
const isOf = (words: string, value: unknown) => isText(value) && words.split(' ').includes(value);
const isOfOrNull = (words: string, value: unknown) => value === null || isOf(words, value);

const isMail = (value: unknown) =>
  isRecord(value) &&
  isOf('pay-link reminder receipt', value.kind) &&
  isText(value.at) &&
  isOfOrNull('accepted delayed delivered bounced failed suppressed complained', value.delivery) &&
  isTextOrNull(value.told_at);

const TEXTS = 'id crm_id invoice_number currency status crm_status refunded part_paid email customer_id'.split(' ');
const TEXTS_OR_NULL = 'amount_due due_date opened_at next_reminder_at link_ends_at'.split(' ');

function isOpenInvoice(value: unknown): value is OpenInvoiceItem {
  if (!isRecord(value) || !isRecord(value.company) || !isRecord(value.customer)) return false;
  const { company, customer, last_email, never_emailed, bad_address } = value;
  return (
    TEXTS.every((name) => isText(value[name])) &&
    TEXTS_OR_NULL.every((name) => isTextOrNull(value[name])) &&
    [company.name, customer.first_name, customer.last_name].every(isText) &&
    (last_email === null || isMail(last_email)) &&
    typeof never_emailed === 'boolean' &&
    isOfOrNull('bounced suppressed complained', bad_address)
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
