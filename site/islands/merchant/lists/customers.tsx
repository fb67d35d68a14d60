import { customerSortFields } from '../../../../shared/contracts/list-values.ts';
import type { CustomerItem } from '../../../../shared/contracts/lists.ts';
import type { Column } from '../../ui/table/list-view.ts';
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

const nameOf = ({ properties }: CustomerItem) => `${properties.firstname} ${properties.lastname}`.trim();

export const customerColumns: Column<CustomerItem>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (item) => nameOf(item) || 'No name',
    sort: 'asc',
    width: 10,
    place: 'title',
    label: '',
  },
  {
    id: 'email',
    header: 'Email',
    value: ({ properties }) => properties.email,
    sort: 'asc',
    width: 15,
    place: 'by',
    label: '',
  },
  {
    id: 'phone',
    header: 'Phone',
    value: ({ properties }) => properties.phone,
    sort: 'asc',
    width: 9,
    place: 'by',
    label: '',
  },
  {
    id: 'company',
    header: 'Company',
    value: ({ properties }) => properties.company,
    sort: 'asc',
    width: 10.5,
    place: 'by',
    label: '',
  },
];
