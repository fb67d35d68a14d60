import type { CustomerItem, InvoiceItem } from '#shared/contracts/lists';
import { decimalFromCents } from '#shared/money';
import type { ListRow } from '../data/list-pages.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const amount = (value: unknown): string | null => (typeof value === 'number' ? decimalFromCents(value) : null);
/** The copy holds 0 where the CRM has not told a time. */
const instant = (value: unknown): string | null =>
  typeof value === 'number' && value > 0 ? new Date(value).toISOString() : null;
const fullName = (row: ListRow): string => `${text(row.first_name)} ${text(row.last_name)}`.trim();

/** A row of the invoice list as it goes out. */
export const showInvoice = (row: ListRow): InvoiceItem => ({
  id: text(row.invoice_id),
  properties: {
    hs_number: text(row.number),
    hs_amount_billed: amount(row.billed_cents),
    hs_balance_due: amount(row.balance_cents),
    hs_due_date: textOrNull(row.due_date),
    hs_createdate: instant(row.created_at),
    hs_lastmodifieddate: instant(row.modified_at),
    hs_invoice_status: text(row.shown_status),
    hs_currency: text(row.currency),
  },
  crm_status: text(row.crm_status),
  customer_name: fullName(row),
  company_name: text(row.company_name),
});

export const showCustomer = (row: ListRow): CustomerItem => ({
  id: text(row.contact_id),
  properties: {
    firstname: text(row.first_name),
    lastname: text(row.last_name),
    email: text(row.email),
    phone: text(row.phone),
    company: text(row.company),
  },
});
