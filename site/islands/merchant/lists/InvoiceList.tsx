import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { statusLooks, wordOf } from '../parts/InvoiceStatus.tsx';
import { invoiceColumns, invoiceSource } from './invoices.tsx';
import { ListHead, ListNotices, ListTools } from './ListHead.tsx';
import { describeAmounts, describeDays, type Range, readAmount, readRange, writeRange } from './range.ts';
import { type List, useList } from './use-list.ts';
import '#site/styles/parts/form/choices.css';
import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';

type Props = {
  type: 'date' | 'text';
  labels: [from: string, to: string];
  range: Range | null;
  /** The entry in the server's format; null if it is invalid. */
  read(text: string): string | null;
  onApply(range: Range): void;
};

const MISREAD = 'Enter an amount like 10 or 10.50.';

export function RangeForm({ type, labels, range, read, onApply }: Props) {
  const [texts, setTexts] = useState<Range>(range ?? { from: '', to: '' });
  const [isTried, setTried] = useState(false);
  const from = read(texts.from);
  const to = read(texts.to);
  const field = (end: 'from' | 'to', label: string, value: string | null) => (
    <Field
      id={`range-${end}`}
      type={type}
      inputMode={type === 'text' ? 'decimal' : undefined}
      autoComplete="off"
      label={label}
      value={texts[end]}
      error={isTried && value === null ? MISREAD : undefined}
      onChange={({ target }) => setTexts({ ...texts, [end]: target.value })}
    />
  );
  return (
    <form
      className="choices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (from !== null && to !== null) onApply({ from, to });
      }}
    >
      {field('from', labels[0], from)}
      {field('to', labels[1], to)}
      <div className="choices-end">
        <Button type="submit">Apply</Button>
        {range && (
          <Button kind="ghost" onClick={() => onApply({ from: '', to: '' })}>
            Any
          </Button>
        )}
      </div>
    </form>
  );
}

/** The filters of invoices; each button shows its choice. */
export function InvoiceFilters({ list }: { list: List<unknown> }) {
  const { filters } = list.query;
  const set = (name: string, value: string) => list.show({ filters: { ...filters, [name]: value }, page: 1 });
  const statuses = (filters.hs_invoice_status ?? '').split(',').filter(Boolean);
  const due = readRange(filters.hs_due_date);
  const amount = readRange(filters.hs_amount_billed);

  return (
    <>
      <Disclosure
        about="Filter by status"
        label={statuses.length > 0 ? `Status: ${statuses.map(wordOf).join(', ')}` : 'Status'}
        isSet={statuses.length > 0}
      >
        {() => (
          <fieldset className="choices">
            <legend className="sr-only">Status</legend>
            {Object.keys(statusLooks).map((status) => (
              <label key={status}>
                <input
                  type="checkbox"
                  checked={statuses.includes(status)}
                  onChange={({ target }) =>
                    set(
                      'hs_invoice_status',
                      Object.keys(statusLooks)
                        .filter((one) => (one === status ? target.checked : statuses.includes(one)))
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
      <Disclosure about="Filter by due date" label={describeDays(due, formatDay)} isSet={due !== null}>
        {(close) => (
          <RangeForm
            type="date"
            labels={['Due from', 'Due until']}
            range={due}
            read={(text) => text}
            onApply={(range) => {
              set('hs_due_date', writeRange(range));
              close();
            }}
          />
        )}
      </Disclosure>
      <Disclosure about="Filter by amount" label={describeAmounts(amount)} isSet={amount !== null}>
        {(close) => (
          <RangeForm
            type="text"
            labels={['Billed from', 'Billed up to']}
            range={amount}
            read={readAmount}
            onApply={(range) => {
              set('hs_amount_billed', writeRange(range));
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
