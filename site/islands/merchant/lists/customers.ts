import { customerSortFields, customerStatuses } from '#shared/contracts/list-values';
import { CustomersReply, type ListedCustomer } from '#shared/contracts/lists';
import { readWith } from '#site/islands/ui/api/read-with.ts';
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
