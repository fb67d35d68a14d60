import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { statusLabelOf, statusStyles } from '../common/InvoiceStatus.tsx';
import { invoiceColumns, invoiceSource } from './invoices.tsx';
import { failureOf, ListHead, ListTools } from './ListHead.tsx';
import { RangeForm } from './RangeForm.tsx';
import { describeAmounts, describeDays, formatRange, parseAmount, parseRange } from './range.ts';
import { type List, useList } from './use-list.ts';
import '#site/styles/parts/form/choices.css';

/** The filters of the invoice list. Each button shows the current value of its filter. */
export function InvoiceFilters({ list }: { list: List<unknown> }) {
  const { filters } = list.query;
  const setFilter = (name: string, value: string) => list.show({ filters: { ...filters, [name]: value }, page: 1 });
  const statuses = (filters.hs_invoice_status ?? '').split(',').filter(Boolean);
  const due = parseRange(filters.hs_due_date);
  const amount = parseRange(filters.hs_amount_billed);

  return (
    <>
      <Disclosure
        labelPrefix="Filter by status"
        label={statuses.length > 0 ? `Status: ${statuses.map(statusLabelOf).join(', ')}` : 'Status'}
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
                {statusLabelOf(status)}
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
            parse={(text) => text}
            onApply={(range) => {
              setFilter('hs_due_date', formatRange(range));
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
            parse={parseAmount}
            onApply={(range) => {
              setFilter('hs_amount_billed', formatRange(range));
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
