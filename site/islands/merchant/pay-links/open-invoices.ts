import * as z from 'zod/mini';
import { openInvoiceSortFields } from '#shared/contracts/list-values';
import { OpenInvoiceItem } from '#shared/contracts/lists';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import type { ListSource } from '../lists/use-list.ts';

export const openInvoiceSource: ListSource<OpenInvoiceItem> = {
  path: '/api/invoices/getOpenInvoices',
  readRows: readWith(z.array(OpenInvoiceItem)),
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
