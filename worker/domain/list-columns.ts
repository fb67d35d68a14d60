import type { Column } from './export-list.ts';
import { showInvoice } from './show-list.ts';

/** What a spreadsheet of a list holds: money and days as the API writes them, an empty cell where nothing is known. */
const invoice = (title: string, read: (item: ReturnType<typeof showInvoice>) => string | null): Column => ({
  title,
  cell: (row) => read(showInvoice(row)) ?? '',
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
