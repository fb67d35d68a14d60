import { customerSortFields } from '../../../../shared/contracts/list-values.ts';
import type { CustomerItem } from '../../../../shared/contracts/lists.ts';
import { isRecord, isText } from '../api/parse-response.ts';
import type { ListSource } from './use-list.ts';

function isCustomer(value: unknown): value is CustomerItem {
  if (!isRecord(value) || !isRecord(value.properties)) return false;
  const { firstname, lastname, email, phone, company } = value.properties;
  return [value.id, firstname, lastname, email, phone, company].every(isText);
}

export function readCustomers(body: unknown): CustomerItem[] | null {
  const results = isRecord(body) && isRecord(body.data) ? body.data.results : null;
  return Array.isArray(results) && results.every(isCustomer) ? results : null;
}

export const customerSource: ListSource<CustomerItem> = {
  path: '/api/customers',
  readRows: readCustomers,
  sort: 'name',
  sorts: customerSortFields,
  filters: [],
};
