import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import { NoRows } from '#site/islands/ui/table/NoRows.tsx';
import { useApiError } from '../api/api-error.ts';
import { apiErrorPart } from '../parts/api-error-part.ts';
import { Lazy } from '../parts/Lazy.tsx';
import { customerColumns } from './customer-columns.tsx';
import { customerSource } from './customers.ts';
import { ListHead } from './ListHead.tsx';
import { ListNotices } from './ListNotices.tsx';
import { ListTools } from './ListTools.tsx';
import { useLater } from './use-later.ts';
import { useList } from './use-list.ts';
import '#site/styles/areas/merchant/customers.css';

const owingFilter = lazyScreen(() => import('./OwingFilter.tsx').then((code) => code.OwingFilter));

export function CustomerList() {
  return useApiError() === null ? <Customers /> : <Lazy of={apiErrorPart} props={{ title: 'Customers' }} />;
}

function Customers() {
  const list = useList(customerSource);
  const Filter = useLater(owingFilter);
  return (
    <div className="list-page customers">
      <ListHead title="Customers" noun="customers" source={customerSource} list={list} />
      <ListNotices noun="customers" list={list} />
      <DataTable
        noun="customers"
        columns={customerColumns}
        list={list}
        keyOf={({ id }) => id}
        loadingText="Loading..."
        empty={<NoRows noun="customer" list={list} emptyText="No customers available." />}
        tools={
          <>
            <ListTools searchOf="name, email, phone or company" list={list} />
            <div className="owing">{Filter && <Filter list={list} />}</div>
          </>
        }
      />
    </div>
  );
}
