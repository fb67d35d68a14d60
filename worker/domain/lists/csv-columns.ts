import type { InvoiceItem, ListedCustomer, OpenInvoiceItem } from '#shared/contracts/lists';
import type { Column } from './export.ts';
import { presentInvoice, presentListedCustomer, presentOpenInvoice } from './present.ts';

// Columns of the lists' CSV: money and days as the API writes them, an empty cell where nothing is known.

const invoice = (title: string, read: (item: InvoiceItem) => string | null): Column => ({
  title,
  cell: (row) => read(presentInvoice(row)) ?? '',
});
const open = (title: string, read: (item: OpenInvoiceItem) => string | null): Column => ({
  title,
  // A file is kept and passed on: pay links, which let their holder pay or look, stay out of it.
  cell: (row) => read(presentOpenInvoice(row, null)) ?? '',
});
const customer = (title: string, read: (item: ListedCustomer) => string | null): Column => ({
  title,
  cell: (row) => read(presentListedCustomer(row)) ?? '',
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

export const openInvoiceColumns: Column[] = [
  open('Invoice ID', ({ invoice_number }) => invoice_number),
  open('Company', ({ company }) => company.name),
  open('Customer', ({ customer: { first_name, last_name } }) => `${first_name} ${last_name}`.trim()),
  open('Amount', ({ amount_due }) => amount_due),
  open('Currency', ({ currency }) => currency),
  open('Due Date', ({ due_date }) => due_date),
  open('Status', ({ status }) => status),
  open('Status in the CRM', ({ crm_status }) => crm_status),
  open('E-mail', ({ email }) => email),
  open('Last mail', ({ mailed }) => mailed),
  open('Last mail sent', ({ mailed_at }) => mailed_at),
];

export const customerColumns: Column[] = [
  customer('Name', ({ properties: { firstname, lastname } }) => `${firstname} ${lastname}`.trim()),
  customer('Email', ({ properties }) => properties.email),
  customer('Phone', ({ properties }) => properties.phone),
  customer('Company', ({ properties }) => properties.company),
  customer('Owed', ({ owed }) => owed),
  customer('First Due Date', ({ first_due }) => first_due),
  customer('Last Paid', ({ last_paid_at }) => last_paid_at),
];
