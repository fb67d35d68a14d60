import type { CustomerSortField, CustomerStatus } from '#shared/contracts/lists/list-values';
import { isSessionLive, type SessionClaim } from '#worker/data/merchants/sessions';
import type { Db, RawRow } from '../db.ts';
import { IS_PENDING_DEBIT, isOwed, isUndecided, isUnreadable } from '../payable-conditions.ts';
import { LISTED_KINDS } from '../schema/mail.ts';
import { prepare, rawSql } from '../sql.ts';
import { isCounted, isRefund } from '../takings/day.ts';
import { type DerivedStatus, IS_NOT_DELETED, type ListDescription, type SortOrder } from './description.ts';

/** The condition must match the index word for word. */
const OWES = { stored: null, condition: 't.owed_cents > 0', index: 'contacts_owing' };

/** True if an amount is unreadable. Then the customer owes more than the sum of the readable amounts. */
const IS_UNREADABLE = `EXISTS (SELECT 1 FROM invoices u INDEXED BY invoices_unreadable_by_contact
  WHERE u.account_id = t.account_id AND u.contact_id = t.contact_id AND u.deleted_at IS NULL AND ${isUnreadable('u.')}) AS is_unreadable`;

const textSort = (index: string, key: string): SortOrder => ({ index, key, kind: 'text' });

/** All contacts of an account that the CRM still has. */
export const customerList: ListDescription = {
  name: 'customers',
  table: 'contacts',
  rows: IS_NOT_DELETED,
  columns: [
    't.contact_id AS contact_id',
    't.first_name AS first_name',
    't.last_name AS last_name',
    't.email AS email',
    't.phone AS phone',
    't.company AS company',
    't.owed_cents AS owed_cents',
    IS_UNREADABLE,
    't.first_due AS first_due',
    't.last_paid_at AS last_paid_at',
  ].join(', '),
  sorts: {
    name: textSort('contacts_by_name', "trim(t.first_name || ' ' || t.last_name) COLLATE NOCASE"),
    email: textSort('contacts_by_email', 't.email COLLATE NOCASE'),
    phone: textSort('contacts_by_phone', 't.phone'),
    company: textSort('contacts_by_company', 't.company COLLATE NOCASE'),
    owed: { index: 'contacts_by_owed', key: 't.owed_cents', kind: 'number' },
    last_paid: { index: 'contacts_by_last_paid', key: 't.last_paid_at', kind: 'number' },
  } satisfies Record<CustomerSortField, SortOrder>,
  search: 'customer_search',
  rankedSort: 'name',
  derived: {
    owes: OWES,
    overdue: { ...OWES, due: { key: 't.first_due', isPast: true } },
  } satisfies Record<CustomerStatus, DerivedStatus>,
};

/** The maximum number of rows of each kind on a customer's page. */
export const CUSTOMER_ROWS = 50;

const SELECT_CONTACT = `SELECT c.contact_id, c.first_name, c.last_name, c.email, c.phone, c.company, c.address, c.city, c.state,
  c.zip, c.read_at, c.last_paid_at, h.time_zone
FROM contacts c JOIN accounts h ON h.account_id = c.account_id
WHERE c.account_id = ?1 AND c.contact_id = ?2 AND c.deleted_at IS NULL`;

/** Grouped by due date, because only the domain knows the local day. */
const SELECT_OWED = `SELECT currency, due_date, count(*) AS n, sum(list_balance_cents) AS cents,
  sum(list_balance_cents IS NULL) AS unreadable
FROM invoices INDEXED BY invoices_open_by_contact
WHERE account_id = ?1 AND contact_id = ?2 AND deleted_at IS NULL AND (${isOwed()} OR ${isUnreadable()})
GROUP BY currency, due_date`;

const SELECT_INVOICES = `SELECT invoice_id, number, currency, list_balance_cents AS balance_cents, billed_cents, due_date,
  shown_status, status AS crm_status, contact_first_name AS first_name, contact_last_name AS last_name, company_name,
  contact_id, created_at, modified_at, given_back_cents, collection_paid_cents,
  ${isUndecided('invoices.account_id', 'invoices.invoice_id')} AS is_undecided,
  count(*) OVER () AS n, min(nullif(created_at, 0)) OVER () AS since
FROM invoices INDEXED BY invoices_by_contact
WHERE account_id = ?1 AND contact_id = ?2 AND deleted_at IS NULL
ORDER BY shown_status = 'open' DESC, created_at DESC, id_number DESC
LIMIT ?3`;

/** The ledger entries of a customer's invoices. Payments with an unknown outcome have none. */
const FROM_LEDGER = `FROM invoices i INDEXED BY invoices_by_contact
  CROSS JOIN payment_attempts a INDEXED BY payment_attempts_invoice
    ON a.account_id = i.account_id AND a.invoice_id = i.invoice_id
  CROSS JOIN ledger l INDEXED BY ledger_attempt ON l.attempt_id = a.id
WHERE i.account_id = ?1 AND i.contact_id = ?2 AND i.deleted_at IS NULL`;

const PENDING_CENTS = `SELECT coalesce(sum(a.amount_cents), 0) FROM invoices i INDEXED BY invoices_by_contact
  CROSS JOIN payment_attempts a INDEXED BY payment_attempts_in_flight
    ON a.account_id = i.account_id AND a.invoice_id = i.invoice_id AND ${IS_PENDING_DEBIT}
WHERE i.account_id = ?1 AND i.contact_id = ?2 AND i.deleted_at IS NULL`;

/** Sums by the same rule as all daily figures: a voided payment counts as never charged. */
const SELECT_PAID = `SELECT coalesce(sum(l.amount_cents), 0) AS cents, coalesce(sum(l.kind = 'payment'), 0) AS payments,
  coalesce(sum(${isRefund('l')}), 0) AS given_back, (${PENDING_CENTS}) AS on_its_way_cents
${FROM_LEDGER} AND ${isCounted('l')}`;

const TERMINAL =
  '(SELECT t.name FROM terminals t WHERE t.account_id = a.account_id AND t.terminal_id = a.terminal_id) AS terminal';

/** Bank payments of a customer's invoices without a ledger entry: still pending, or returned before they settled. */
const FROM_UNBOOKED = `FROM invoices i INDEXED BY invoices_by_contact
  CROSS JOIN payment_attempts a INDEXED BY payment_attempts_invoice
    ON a.account_id = i.account_id AND a.invoice_id = i.invoice_id
WHERE i.account_id = ?1 AND i.contact_id = ?2 AND i.deleted_at IS NULL AND a.state IN ('pending', 'returned')
  AND NOT EXISTS (SELECT 1 FROM ledger booked WHERE booked.attempt_id = a.id)`;

/** `place` orders rows that have the same time. */
const SELECT_PAYMENTS = `SELECT l.provider_txn_id AS id, l.kind, l.amount_cents, l.currency, l.at, l.method, l.channel, l.brand,
  a.card_last_four, a.wallet, a.state, i.invoice_id, i.number, ${TERMINAL}, l.rowid AS place,
  (SELECT min(m.sent_at) FROM outbox m INDEXED BY outbox_invoice
    WHERE m.account_id = i.account_id AND m.invoice_id = i.invoice_id AND m.kind = 'pay-link' AND m.state = 'sent'
      AND m.sent_at <= l.at) AS link_sent_at
${FROM_LEDGER}
UNION ALL SELECT ifnull(a.provider_txn_id, a.id), iif(a.state = 'pending', 'submitted', 'returned'), a.amount_cents, a.currency,
  a.created_at, a.method, a.channel, a.card_brand, a.card_last_four, a.wallet, a.state, i.invoice_id, i.number, ${TERMINAL}, -a.rowid, NULL
${FROM_UNBOOKED}
ORDER BY at DESC, place DESC
LIMIT ?3`;

/** A reminder that was dropped before it was sent is omitted. */
const SELECT_MAILS = `SELECT m.id, m.kind, m.state, m.delivery, coalesce(m.sent_at, m.created_at) AS at, m.recipient, i.invoice_id, i.number
FROM invoices i INDEXED BY invoices_by_contact
  CROSS JOIN outbox m INDEXED BY outbox_invoice ON m.account_id = i.account_id AND m.invoice_id = i.invoice_id
WHERE i.account_id = ?1 AND i.contact_id = ?2 AND i.deleted_at IS NULL AND m.kind IN ${LISTED_KINDS}
  AND (m.kind <> 'reminder' OR m.state <> 'failed')
ORDER BY m.created_at DESC
LIMIT ?3`;

export type CustomerRows = {
  contact: RawRow;
  owed: RawRow[];
  invoices: RawRow[];
  paid: RawRow;
  payments: RawRow[];
  mails: RawRow[];
};

/**
 * A customer of an account with the full history, in one round trip that also checks the session. Null if the session
 * has ended. Undefined if the account has no such customer.
 */
export async function findCustomer(
  { $client: d1 }: Db,
  claim: SessionClaim,
  now: number,
  contactId: string,
): Promise<CustomerRows | null | undefined> {
  const forContact = (sql: string, ...values: number[]) => d1.prepare(sql).bind(claim.accountId, contactId, ...values);
  const batchResults = await d1.batch<RawRow>([
    prepare(d1, rawSql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    forContact(SELECT_CONTACT),
    forContact(SELECT_OWED),
    forContact(SELECT_INVOICES, CUSTOMER_ROWS),
    forContact(SELECT_PAID),
    forContact(SELECT_PAYMENTS, CUSTOMER_ROWS),
    forContact(SELECT_MAILS, CUSTOMER_ROWS),
  ]);
  const [session, contacts, owed = [], invoices = [], paid, payments = [], mails = []] = batchResults.map(
    ({ results }) => results,
  );
  if (session?.[0]?.is_live !== 1) return null;
  const contact = contacts?.[0];
  return contact && { contact, owed, invoices, paid: paid?.[0] ?? {}, payments, mails };
}
