import type { CustomerItem, InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists';
import type { Column } from './export.ts';
import { type NextReminder, presentCustomer, presentInvoice, presentOpenInvoice } from './present.ts';

// Columns of the lists' CSV: money and days as the API writes them, an empty cell where nothing is known.

const invoice = (title: string, read: (item: InvoiceItem) => string | null): Column => ({
  title,
  cell: (row) => read(presentInvoice(row)) ?? '',
});
const customer = (title: string, read: (item: CustomerItem['properties']) => string): Column => ({
  title,
  cell: (row) => read(presentCustomer(row).properties),
});

export const invoiceColumns: Column[] = [
  invoice('Invoice ID', ({ id }) => id),
  invoice('Invoice Number', ({ properties }) => properties.hs_number),
  invoice('Amount Billed', ({ properties }) => properties.hs_amount_billed),
  invoice('Balance Due', ({ properties }) => properties.hs_balance_due),
  invoice('Currency', ({ properties }) => properties.hs_currency),
  invoice('Due Date', ({ properties }) => properties.hs_due_date),
  invoice('Created Date', ({ properties }) => properties.hs_createdate),
  invoice('Last Modified Date', ({ properties }) => properties.hs_lastmodifieddate),
  invoice('Status', ({ properties }) => properties.hs_invoice_status),
  invoice('Status in the CRM', ({ crm_status }) => crm_status),
  invoice('Customer', ({ customer_name }) => customer_name),
  invoice('Company', ({ company_name }) => company_name),
];

const openColumns: [title: string, read: (item: OpenInvoiceItem) => string | null][] = [
  ['Invoice ID', ({ invoice_number }) => invoice_number],
  ['Company', ({ company }) => company.name],
  ['Customer', ({ customer: { first_name, last_name } }) => `${first_name} ${last_name}`.trim()],
  ['Amount', ({ amount_due }) => amount_due],
  ['Currency', ({ currency }) => currency],
  ['Due Date', ({ due_date }) => due_date],
  ['Status', ({ status }) => status],
  ['Status in the CRM', ({ crm_status }) => crm_status],
  ['E-mail', ({ email }) => email],
  ['Last mail', ({ last_email }) => last_email?.kind ?? null],
  ['Last mail sent', ({ last_email }) => last_email?.at ?? null],
  ['Last mail came to', ({ last_email }) => last_email?.delivery ?? null],
  ['Pay page opened', ({ opened_at }) => opened_at],
  ['No mail arrives, because', ({ bad_address }) => bad_address],
  ['Next reminder', ({ next_reminder_at }) => next_reminder_at],
];

// A file is kept and passed on: pay links, which let their holder pay or look, stay out of it.
export const openInvoiceColumns = (now: number, nextReminder: NextReminder): Column[] =>
  openColumns.map(([title, read]) => ({
    title,
    cell: (row) => read(presentOpenInvoice(row, null, now, nextReminder)) ?? '',
  }));

export const customerColumns: Column[] = [
  customer('Name', ({ firstname, lastname }) => `${firstname} ${lastname}`.trim()),
  customer('Email', ({ email }) => email),
  customer('Phone', ({ phone }) => phone),
  customer('Company', ({ company }) => company),
];
