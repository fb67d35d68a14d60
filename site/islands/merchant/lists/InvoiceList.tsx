import { DataTable } from '#site/islands/ui/table/DataTable.tsx';
import { NoRows } from '#site/islands/ui/table/NoRows.tsx';
import { InvoiceFilters } from './InvoiceFilters.tsx';
import { invoiceColumns, invoiceSource } from './invoices.tsx';
import { ListHead } from './ListHead.tsx';
import { ListNotices } from './ListNotices.tsx';
import { ListTools } from './ListTools.tsx';
import { useList } from './use-list.ts';

export function InvoiceList() {
  const list = useList(invoiceSource);
  return (
    <div className="list-page">
      <ListHead title="Invoices" noun="invoices" source={invoiceSource} list={list} />
      <ListNotices noun="invoices" list={list} />
      <DataTable
        noun="invoices"
        columns={invoiceColumns}
        list={list}
        keyOf={({ id }) => id}
        loadingText="Loading invoices..."
        empty={<NoRows noun="invoice" list={list} emptyText="No invoices available." />}
        tools={
          <ListTools searchOf="number, name or company" list={list}>
            <InvoiceFilters list={list} />
          </ListTools>
        }
      />
    </div>
  );
}
