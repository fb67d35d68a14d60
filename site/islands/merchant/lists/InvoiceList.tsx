import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { statusStyles, wordOf } from '../parts/InvoiceStatus.tsx';
import { invoiceColumns, invoiceSource } from './invoices.tsx';
import { failureOf, ListHead, ListTools } from './ListHead.tsx';
import { RangeForm } from './RangeForm.tsx';
import { describeAmounts, describeDays, readAmount, readRange, writeRange } from './range.ts';
import { type List, useList } from './use-list.ts';
import '#site/styles/parts/form/choices.css';

/** The filters of the invoice list. Each button shows the current value of its filter. */
export function InvoiceFilters({ list }: { list: List<unknown> }) {
  const { filters } = list.query;
  const setFilter = (name: string, value: string) => list.show({ filters: { ...filters, [name]: value }, page: 1 });
  const statuses = (filters.hs_invoice_status ?? '').split(',').filter(Boolean);
  const due = readRange(filters.hs_due_date);
  const amount = readRange(filters.hs_amount_billed);

  return (
    <>
      <Disclosure
        labelPrefix="Filter by status"
        label={statuses.length > 0 ? `Status: ${statuses.map(wordOf).join(', ')}` : 'Status'}
        isSet={statuses.length > 0}
      >
        {() => (
          <fieldset className="choices">
            <legend className="sr-only">Status</legend>
            {Object.keys(statusStyles).map((status) => (
              <label key={status}>
                <input
                  type="checkbox"
                  checked={statuses.includes(status)}
                  onChange={({ target }) =>
                    setFilter(
                      'hs_invoice_status',
                      Object.keys(statusStyles)
                        .filter((option) => (option === status ? target.checked : statuses.includes(option)))
                        .join(','),
                    )
                  }
                />
                {wordOf(status)}
              </label>
            ))}
          </fieldset>
        )}
      </Disclosure>
      <Disclosure labelPrefix="Filter by due date" label={describeDays(due, formatDay)} isSet={due !== null}>
        {(close) => (
          <RangeForm
            type="date"
            labels={['Due from', 'Due until']}
            range={due}
            read={(text) => text}
            onApply={(range) => {
              setFilter('hs_due_date', writeRange(range));
              close();
            }}
          />
        )}
      </Disclosure>
      <Disclosure labelPrefix="Filter by amount" label={describeAmounts(amount)} isSet={amount !== null}>
        {(close) => (
          <RangeForm
            type="text"
            labels={['Billed from', 'Billed up to']}
            range={amount}
            read={readAmount}
            onApply={(range) => {
              setFilter('hs_amount_billed', writeRange(range));
              close();
            }}
          />
        )}
      </Disclosure>
    </>
  );
}

export function InvoiceList() {
  const list = useList(invoiceSource);
  return (
    <div className="list-page">
      <ListHead title="Invoices" noun="invoices" source={invoiceSource} list={list} />
      <DataTable
        noun="invoices"
        columns={invoiceColumns}
        list={list}
        keyOf={({ id }) => id}
        failure={failureOf('invoices', list)}
        loadingText="Loading invoices..."
        empty={<NoRows noun="invoice" list={list} emptyText="No invoices available." />}
        tools={
          <ListTools searchedFields="number, name or company" list={list}>
            <InvoiceFilters list={list} />
          </ListTools>
        }
      />
    </div>
  );
}
