import type { InvoiceSortField, OpenInvoiceSortField } from '#shared/contracts/lists/list-values';
import { isFrozen, isOpen, isPaying, isUndecided } from '../payable-conditions.ts';
import { isExcluded, mailedAt, planned, stoppedAt } from '../reminders/invoice.ts';
import { LISTED_KINDS } from '../schema/mail.ts';
import { isCounted } from '../takings/day.ts';
import {
  type DerivedStatus,
  DUE_KEY,
  IS_NOT_DELETED,
  IS_OWED,
  type ListDescription,
  OWED_FIRST_KEY,
  type SortOrder,
  STATUS_KEY,
} from './description.ts';

const INVOICE = ['t.account_id', 't.invoice_id'] as const;

const UNREACHABLE_REASON = `(SELECT b.why FROM mail_addresses b
  WHERE b.account_id = t.account_id AND b.address = lower(trim(t.contact_email)))`;

/**
 * The results of an invoice's emails, as columns of its row. Each uses an index, so a page costs the same in a list of
 * any length.
 */
export const MAIL_COLUMNS = [
  `(SELECT json_object('kind', m.kind, 'sentAt', m.sent_at, 'delivery', m.delivery, 'toldAt', m.delivery_at) FROM outbox m
    WHERE m.account_id = t.account_id AND m.invoice_id = t.invoice_id AND m.state = 'sent'
      AND m.kind IN ${LISTED_KINDS}
    ORDER BY m.sent_at DESC LIMIT 1) AS mail`,
  `(SELECT max(o.at) FROM page_views o WHERE o.account_id = t.account_id AND o.invoice_id = t.invoice_id) AS opened_at`,
  `${UNREACHABLE_REASON} AS bad_address`,
  // NULL if reminders are off, or if something prevents the next one.
  `(SELECT json_object('steps', json(p.steps), 'doneDay', p.done_day, 'nextRunAt', p.next_run_at, 'waitUntil', p.wait_until,
      'timeZone', h.time_zone, 'mailedAt', ${mailedAt(...INVOICE)}, 'planned', json(${planned(...INVOICE)}))
    FROM reminder_plans p JOIN accounts h ON h.account_id = p.account_id JOIN crm_tokens k ON k.account_id = p.account_id
    WHERE p.account_id = t.account_id AND p.next_run_at IS NOT NULL AND h.closes_at IS NULL AND k.revoked_at IS NULL
      AND t.shown_status = 'open' AND t.due_date IS NOT NULL AND trim(t.contact_email) <> '' AND ${UNREACHABLE_REASON} IS NULL
      AND NOT ${isExcluded(...INVOICE)} AND ${stoppedAt(...INVOICE)} IS NULL AND NOT ${isPaying(...INVOICE)}
      AND NOT ${isFrozen(...INVOICE)}) AS reminding`,
];

/** SQL: an aggregate over the ledger entries of an invoice, by the rule of all daily figures; NULL if it has none. */
const aggregateEntries = (
  aggregate: string,
) => `(SELECT ${aggregate} FROM payment_attempts a INDEXED BY payment_attempts_invoice
    CROSS JOIN ledger l INDEXED BY ledger_attempt ON l.attempt_id = a.id
    WHERE a.account_id = t.account_id AND a.invoice_id = t.invoice_id AND ${isCounted('l')})`;

/**
 * The amount billed, the time of payment according to the CRM, and the amount paid here with the day of the last
 * payment.
 */
export const PAID_COLUMNS = [
  't.billed_cents AS billed_cents',
  't.paid_at AS paid_at',
  `${aggregateEntries('sum(l.amount_cents)')} AS paid_cents`,
  `${aggregateEntries("max(iif(l.kind = 'payment', l.day, NULL))")} AS paid_day`,
];

// Must match the migration's indexes word for word, or SQLite does not use them.
const BILLED = 'coalesce(t.billed_cents, -9007199254740991)';
const BALANCE = 'coalesce(t.list_balance_cents, -9007199254740991)';
const CUSTOMER_NAME = "trim(t.contact_first_name || ' ' || t.contact_last_name)";

const textSort = (index: string, key: string): SortOrder => ({ index, key, kind: 'text' });
const caselessSort = (index: string, key: string): SortOrder => textSort(index, `${key} COLLATE NOCASE`);
const numberSort = (index: string, key: string): SortOrder => ({ index, key, kind: 'number' });

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
  't.collection_paid_cents AS collection_paid_cents',
  `${isUndecided(...INVOICE)} AS is_undecided`,
];

const OWED = { stored: 'open', condition: IS_OWED, index: 'invoices_overdue' };
const DERIVED: Record<string, DerivedStatus> = {
  owed: OWED,
  due: { ...OWED, due: { key: DUE_KEY, isPast: false } },
  overdue: { ...OWED, due: { key: DUE_KEY, isPast: true } },
  partly_paid: {
    stored: 'open',
    condition: `${isOpen('t.')} AND t.collection_paid_cents > 0`,
    index: 'invoices_partly_paid',
  },
  partly_refunded: {
    stored: 'paid',
    condition: "t.local_status = 'paid' AND t.given_back_cents > 0",
    index: 'invoices_partly_refunded',
  },
};

/** All invoices of an account that the CRM still has. */
export const invoiceList: ListDescription = {
  name: 'invoices',
  table: 'invoices',
  rows: IS_NOT_DELETED,
  columns: [
    ...COLUMNS,
    't.billed_cents AS billed_cents',
    't.created_at AS created_at',
    't.modified_at AS modified_at',
  ].join(', '),
  sorts: {
    id: numberSort('invoices_by_id', 't.id_number'),
    hs_number: caselessSort('invoices_by_number', 't.number'),
    hs_amount_billed: numberSort('invoices_by_billed', BILLED),
    hs_balance_due: numberSort('invoices_by_balance', BALANCE),
    hs_due_date: textSort('invoices_by_due', DUE_KEY),
    hs_createdate: numberSort('invoices_by_created', 't.created_at'),
    hs_lastmodifieddate: numberSort('invoices_by_modified', 't.modified_at'),
    hs_invoice_status: textSort('invoices_by_status', STATUS_KEY),
  } satisfies Record<InvoiceSortField, SortOrder>,
  byStatus: 'invoices_by_status',
  search: 'invoice_search',
  derived: DERIVED,
};

/** Invoices that are or were payable, each with its live link and the results of its emails. */
export const openInvoiceList: ListDescription = {
  name: 'open-invoices',
  table: 'invoices',
  rows: `${IS_NOT_DELETED} AND (t.local_status <> 'none' OR t.status IN ('open', 'paid'))`,
  columns: [
    ...COLUMNS,
    't.contact_email AS email',
    't.created_at AS created_at',
    `(SELECT json_object('payId', l.pay_id, 'endsAt', l.ends_at) FROM pay_links l
      WHERE l.account_id = t.account_id AND l.invoice_id = t.invoice_id AND l.state = 'live') AS link`,
    ...MAIL_COLUMNS,
  ].join(', '),
  sorts: {
    invoice_number: caselessSort('open_invoices_by_number', 't.number'),
    company: caselessSort('open_invoices_by_company', 't.company_name'),
    customer: caselessSort('open_invoices_by_customer', CUSTOMER_NAME),
    amount_due: numberSort('open_invoices_by_balance', BALANCE),
    due_date: textSort('open_invoices_by_due', DUE_KEY),
    status: textSort('open_invoices_owed_first', OWED_FIRST_KEY),
  } satisfies Record<OpenInvoiceSortField, SortOrder>,
  byStatus: 'open_invoices_by_status',
  search: 'invoice_search',
  derived: DERIVED,
};
