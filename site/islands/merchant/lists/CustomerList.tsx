import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { useApiError } from '../api/api.ts';
import { apiErrorPart, Lazy, useLazyPart } from '../common/Lazy.tsx';
import { customerSource } from './customers.ts';
import { failureOf, ListHead, ListTools } from './ListHead.tsx';
import { useList } from './use-list.ts';
import '#site/styles/areas/merchant/lists/customers.css';
import type { ListedCustomer } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { formatDay, formatWhen, todayLocal } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import { CustomerLink } from './CustomerLink.tsx';

const nameOf = ({ properties }: ListedCustomer) => `${properties.firstname} ${properties.lastname}`.trim();

/** Returns the state of the amount owed, and its label. A table shows the label only if some of it is overdue. */
function owedStateOf({ owed, has_unreadable, first_due }: ListedCustomer): { state: string; label: string } {
  if (Number(owed) === 0) {
    return has_unreadable ? { state: 'unreadable', label: 'unreadable' } : { state: 'nothing', label: 'nothing owed' };
  }
  const isOverdue = first_due !== null && first_due < todayLocal();
  return isOverdue ? { state: 'overdue', label: 'some overdue' } : { state: 'owed', label: 'owed' };
}

/** Returns for example "today, 11:47 AM" or "Mar 4, 2026", or "never". */
function describeLastPaid(at: string | null): string {
  const timeText = formatWhen(at);
  return !at ? 'never' : timeText === formatDay(at) ? timeText : `today, ${timeText}`;
}

export const customerColumns: Column<ListedCustomer>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (item) => <CustomerLink id={item.id} name={nameOf(item) || 'No name'} />,
    sort: 'asc',
    width: 9.5,
    place: 'title',
    label: '',
  },
  {
    id: 'email',
    header: 'Email',
    value: ({ properties }) => properties.email,
    sort: 'asc',
    width: 12,
    place: 'by',
    label: '',
  },
  {
    id: 'phone',
    header: 'Phone',
    value: ({ properties }) => properties.phone,
    sort: 'asc',
    width: 8,
    place: 'fact',
    label: '',
  },
  {
    id: 'company',
    header: 'Company',
    value: ({ properties }) => properties.company,
    sort: 'asc',
    width: 9,
    place: 'fact',
    label: '',
  },
  {
    id: 'owed',
    header: 'Owed',
    value: (item) => {
      const { state, label } = owedStateOf(item);
      return (
        <span className={`owing-${state}`}>
          <span>
            {item.has_unreadable && state !== 'unreadable' && 'at least '}
            <Money amount={state === 'unreadable' ? null : item.owed} currency={ONLINE_CURRENCY} />
          </span>{' '}
          <span className="owing-word">{label}</span>
        </span>
      );
    },
    sort: 'desc',
    width: 9.5,
    align: 'end',
    place: 'amount',
    secondLine: 'on-card',
    label: '',
  },
  {
    id: 'last_paid',
    header: 'Last paid',
    value: ({ last_paid_at }) => describeLastPaid(last_paid_at),
    sort: 'desc',
    width: 8,
    place: 'state',
  },
];

const owingFilter = lazyScreen(() => import('./OwingFilter.tsx').then((code) => code.OwingFilter));

export function CustomerList() {
  return useApiError() === null ? <Customers /> : <Lazy screen={apiErrorPart} props={{ title: 'Customers' }} />;
}

function Customers() {
  const list = useList(customerSource);
  const Filter = useLazyPart(owingFilter);
  return (
    <div className="list-page customers">
      <ListHead title="Customers" noun="customers" source={customerSource} list={list} />
      <DataTable
        noun="customers"
        columns={customerColumns}
        list={list}
        keyOf={({ id }) => id}
        failure={failureOf('customers', list)}
        loadingText="Loading..."
        empty={<NoRows noun="customer" list={list} emptyText="No customers available." />}
        tools={
          <>
            <ListTools searchedFields="name, email, phone or company" list={list} />
            <div className="owing">{Filter && <Filter list={list} />}</div>
          </>
        }
      />
    </div>
  );
}
