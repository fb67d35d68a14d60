import { customerSortFields, customerStatuses } from '#shared/contracts/lists/list-values';
import { type CustomerItem, CustomersReply, type ListedCustomer } from '#shared/contracts/lists/lists';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import type { ListSource } from './use-list.ts';

export const readCustomers = readWith(CustomersReply, ({ data }) => data.results);

export const customerSource: ListSource<ListedCustomer> = {
  path: '/api/customers',
  readRows: readCustomers,
  sort: 'name',
  sorts: customerSortFields,
  filters: ['owed'],
  canFilter: (_, value) => customerStatuses.some((status) => status === value),
};

export const customerName = ({ id, properties: { firstname, lastname, email, company } }: CustomerItem): string =>
  `${firstname} ${lastname}`.trim() || company || email || `Customer ${id}`;

export const customerPath = (id: string): string => `/customers/${encodeURIComponent(id)}`;

/** Returns the path of Take Payment with the customer, and optionally an invoice, preselected. */
export const takePaymentPath = (customerId: string, invoiceId?: string): string =>
  `/payments?${new URLSearchParams({ customer: customerId, ...(invoiceId ? { invoice: invoiceId } : {}) })}`;
