import type { CustomerItem } from '../../../../shared/contracts/lists.ts';
import type { Column } from '../../ui/table/list-view.ts';
import { CustomerLink } from '../parts/CustomerLink.tsx';

const nameOf = ({ properties }: CustomerItem) => `${properties.firstname} ${properties.lastname}`.trim();

export const customerColumns: Column<CustomerItem>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (item) => <CustomerLink id={item.id} name={nameOf(item) || 'No name'} />,
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
