import type { CustomerSortField, CustomerStatus } from '#shared/contracts/list-values';
import { isUnreadable } from '../open-invoice.ts';
import { type ListDescription, type MadeStatus, NOT_GONE, type SortOrder } from './description.ts';

/** Word for word as in the index. */
const OWES = { of: null, is: 't.owed_cents > 0', index: 'contacts_owing' };

/** What is owed is then not known, and not zero. */
const UNREADABLE = `EXISTS (SELECT 1 FROM invoices u INDEXED BY invoices_unreadable_by_contact
  WHERE u.account_id = t.account_id AND u.contact_id = t.contact_id AND u.deleted_at IS NULL AND ${isUnreadable('u.')}) AS is_unreadable`;

const text = (index: string, key: string): SortOrder => ({ index, key, kind: 'text' });

/** Every contact of an account that the CRM still has. */
export const customerList: ListDescription = {
  name: 'customers',
  table: 'contacts',
  rows: NOT_GONE,
  columns: [
    't.contact_id AS contact_id',
    't.first_name AS first_name',
    't.last_name AS last_name',
    't.email AS email',
    't.phone AS phone',
    't.company AS company',
    't.owed_cents AS owed_cents',
    UNREADABLE,
    't.first_due AS first_due',
    't.last_paid_at AS last_paid_at',
  ].join(', '),
  sorts: {
    name: text('contacts_by_name', "trim(t.first_name || ' ' || t.last_name) COLLATE NOCASE"),
    email: text('contacts_by_email', 't.email COLLATE NOCASE'),
    phone: text('contacts_by_phone', 't.phone'),
    company: text('contacts_by_company', 't.company COLLATE NOCASE'),
    owed: { index: 'contacts_by_owed', key: 't.owed_cents', kind: 'number' },
    last_paid: { index: 'contacts_by_last_paid', key: 't.last_paid_at', kind: 'number' },
  } satisfies Record<CustomerSortField, SortOrder>,
  search: 'customer_search',
  made: {
    owes: OWES,
    overdue: { ...OWES, due: { key: 't.first_due', isPast: true } },
  } satisfies Record<CustomerStatus, MadeStatus>,
};
