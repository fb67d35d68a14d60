import { customerSortFields, customerStatuses } from '../../../../shared/contracts/list-values.ts';
import type { ListedCustomer } from '../../../../shared/contracts/lists.ts';
import { isRecord, isText, isTextOrNull } from '../api/parse-response.ts';
import type { ListSource } from './use-list.ts';

function isCustomer(value: unknown): value is ListedCustomer {
  if (!isRecord(value) || !isRecord(value.properties)) return false;
  const { firstname, lastname, email, phone, company } = value.properties;
  return (
    [value.id, firstname, lastname, email, phone, company].every(isText) &&
    [value.owed, value.first_due, value.last_paid_at].every(isTextOrNull)
  );
}

export function readCustomers(body: unknown): ListedCustomer[] | null {
  const results = isRecord(body) && isRecord(body.data) ? body.data.results : null;
  return Array.isArray(results) && results.every(isCustomer) ? results : null;
}

export const customerSource: ListSource<ListedCustomer> = {
  path: '/api/customers',
  readRows: readCustomers,
  sort: 'name',
  sorts: customerSortFields,
  filters: ['owed'],
  canFilter: (_, value) => customerStatuses.some((status) => status === value),
};
