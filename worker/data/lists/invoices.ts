import type { InvoiceSortField, OpenInvoiceSortField } from '#shared/contracts/list-values';
import { DUE_KEY, type ListDescription, NOT_GONE, type SortOrder, STATUS_KEY } from './description.ts';

// Word for word as in the migration's indexes, or SQLite does not use them.
const BILLED = 'coalesce(t.billed_cents, -9007199254740991)';
const BALANCE = 'coalesce(t.list_balance_cents, -9007199254740991)';
const CUSTOMER = "trim(t.contact_first_name || ' ' || t.contact_last_name)";

const text = (index: string, key: string): SortOrder => ({ index, key, kind: 'text' });
const anyCase = (index: string, key: string): SortOrder => text(index, `${key} COLLATE NOCASE`);
const number = (index: string, key: string): SortOrder => ({ index, key, kind: 'number' });

const COLUMNS = [
  't.invoice_id AS invoice_id',
  't.number AS number',
  't.currency AS currency',
  't.list_balance_cents AS balance_cents',
  't.due_date AS due_date',
  't.shown_status AS shown_status',
  't.status AS crm_status',
  't.contact_id AS contact_id',
  't.contact_first_name AS first_name',
  't.contact_last_name AS last_name',
  't.company_name AS company_name',
  't.given_back_cents AS given_back_cents',
  't.part_paid_cents AS part_paid_cents',
];

/** Every invoice of an account that the CRM still has. */
export const invoiceList: ListDescription = {
  name: 'invoices',
  table: 'invoices',
  rows: NOT_GONE,
  columns: [
    ...COLUMNS,
    't.billed_cents AS billed_cents',
    't.created_at AS created_at',
    't.modified_at AS modified_at',
  ].join(', '),
  sorts: {
    id: number('invoices_by_id', 't.id_number'),
    hs_number: anyCase('invoices_by_number', 't.number'),
    hs_amount_billed: number('invoices_by_billed', BILLED),
    hs_balance_due: number('invoices_by_balance', BALANCE),
    hs_due_date: text('invoices_by_due', DUE_KEY),
    hs_createdate: number('invoices_by_created', 't.created_at'),
    hs_lastmodifieddate: number('invoices_by_modified', 't.modified_at'),
    hs_invoice_status: text('invoices_by_status', STATUS_KEY),
  } satisfies Record<InvoiceSortField, SortOrder>,
  search: 'invoice_search',
};

/** Invoices that are or were to be paid, each with its live link and the last mail about it. */
export const openInvoiceList: ListDescription = {
  name: 'open-invoices',
  table: 'invoices',
  rows: `${NOT_GONE} AND (t.overlay <> 'none' OR t.status IN ('open', 'paid'))`,
  columns: [
    ...COLUMNS,
    't.contact_email AS email',
    `(SELECT json_object('payId', l.pay_id, 'endsAt', l.ends_at) FROM pay_links l
      WHERE l.hub_id = t.hub_id AND l.invoice_id = t.invoice_id AND l.state = 'live') AS link`,
    `(SELECT json_object('kind', m.kind, 'sentAt', m.sent_at, 'delivery', m.delivery) FROM outbox m
      WHERE m.hub_id = t.hub_id AND m.invoice_id = t.invoice_id AND m.state = 'sent'
        AND m.kind IN ('pay-link', 'receipt', 'crm-receipt')
      ORDER BY m.sent_at DESC LIMIT 1) AS mail`,
  ].join(', '),
  sorts: {
    invoice_number: anyCase('open_invoices_by_number', 't.number'),
    company: anyCase('open_invoices_by_company', 't.company_name'),
    customer: anyCase('open_invoices_by_customer', CUSTOMER),
    amount_due: number('open_invoices_by_balance', BALANCE),
    due_date: text('open_invoices_by_due', DUE_KEY),
    status: text('open_invoices_by_status', STATUS_KEY),
  } satisfies Record<OpenInvoiceSortField, SortOrder>,
  search: 'invoice_search',
};
