import type { CustomerSortField } from '#shared/contracts/list-values';
import { type ListDescription, NOT_GONE, type SortOrder } from './description.ts';

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
  ].join(', '),
  sorts: {
    name: text('contacts_by_name', "trim(t.first_name || ' ' || t.last_name) COLLATE NOCASE"),
    email: text('contacts_by_email', 't.email COLLATE NOCASE'),
    phone: text('contacts_by_phone', 't.phone'),
    company: text('contacts_by_company', 't.company COLLATE NOCASE'),
  } satisfies Record<CustomerSortField, SortOrder>,
  search: 'customer_search',
};
