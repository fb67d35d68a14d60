import type { InvoiceItem, ListedCustomer, OpenInvoiceItem } from '#shared/contracts/lists';
import type { Column } from './export.ts';
import { type NextReminder, presentInvoice, presentListedCustomer, presentOpenInvoice } from './present.ts';

// Columns of the lists' CSV: money and days as the API writes them, an empty cell where nothing is known.

const invoice = (title: string, read: (item: InvoiceItem) => string | null): Column => ({
  title,
  cell: (row) => read(presentInvoice(row)) ?? '',
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

const openColumns: [title: string, read: (item: OpenInvoiceItem) => string | null][] = [
  ['Invoice ID', ({ invoice_number }) => invoice_number],
  ['Company', ({ company }) => company.name],
  ['Customer', ({ customer: { first_name, last_name } }) => `${first_name} ${last_name}`.trim()],
  ['Amount', ({ amount_due }) => amount_due],
  ['Currency', ({ currency }) => currency],
  ['Due Date', ({ due_date }) => due_date],
  ['Status', ({ status }) => status],
  ['Status in the CRM', ({ crm_status }) => crm_status],
  ['Email', ({ email }) => email],
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
  customer('Name', ({ properties: { firstname, lastname } }) => `${firstname} ${lastname}`.trim()),
  customer('Email', ({ properties }) => properties.email),
  customer('Phone', ({ properties }) => properties.phone),
  customer('Company', ({ properties }) => properties.company),
  customer('Owed', ({ owed }) => owed),
  customer('First Due Date', ({ first_due }) => first_due),
  customer('Last Paid', ({ last_paid_at }) => last_paid_at),
];
