import * as z from 'zod/mini';
import { invoiceSortFields } from '#shared/contracts/lists/list-values';
import { InvoiceItem } from '#shared/contracts/lists/lists';
import { typedCents } from '#shared/money';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { formatDay, formatWhen } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { TruncatedText, truncate } from '#site/islands/ui/table/CutText.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import { InvoiceStatus, statusStyles } from '../common/InvoiceStatus.tsx';
import { CustomerLink } from './CustomerLink.tsx';
import { isDay, isRange } from './range.ts';
import type { ListSource } from './use-list.ts';

export const invoiceSource: ListSource<InvoiceItem> = {
  path: '/api/invoices',
  readRows: readWith(z.array(InvoiceItem)),
  sort: '-hs_createdate',
  sorts: invoiceSortFields,
  filters: ['hs_invoice_status', 'hs_due_date', 'hs_amount_billed'],
  canFilter: (name, value) =>
    name === 'hs_invoice_status'
      ? value.split(',').every((status) => status in statusStyles)
      : isRange(value, name === 'hs_due_date' ? isDay : (end) => typedCents(end) !== null),
};

export const invoiceColumns: Column<InvoiceItem>[] = [
  { id: 'id', header: 'Invoice ID', value: ({ id }) => id, sort: 'desc', width: 7.5 },
  {
    id: 'hs_number',
    header: 'Invoice Number',
    value: ({ properties, customer_name, customer_id, company_name }) => (
      <>
        <TruncatedText text={properties.hs_number || 'No number'} />
        <span className="cell-second">
          {customer_name && <CustomerLink id={customer_id} name={customer_name} />}
          {customer_name && company_name && ', '}
          {truncate(company_name)}
        </span>
      </>
    ),
    sort: 'asc',
    width: 9.5,
    place: 'title',
    secondLine: 'always',
    label: '',
  },
  {
    id: 'hs_amount_billed',
    header: 'Amount Billed',
    value: ({ properties }) => <Money amount={properties.hs_amount_billed} currency={properties.hs_currency} />,
    sort: 'desc',
    width: 9,
    align: 'end',
    place: 'amount',
    label: '',
  },
  {
    id: 'hs_balance_due',
    header: 'Balance Due',
    value: ({ properties }) => <Money amount={properties.hs_balance_due} currency={properties.hs_currency} />,
    sort: 'desc',
    width: 9,
    align: 'end',
  },
  {
    id: 'hs_due_date',
    header: 'Due Date',
    value: ({ properties }) => formatDay(properties.hs_due_date),
    sort: 'asc',
    width: 7.5,
    place: 'fact',
    label: 'Due',
  },
  {
    id: 'hs_createdate',
    header: 'Created Date',
    value: ({ properties }) => formatWhen(properties.hs_createdate),
    sort: 'desc',
    width: 8.5,
  },
  {
    id: 'hs_lastmodifieddate',
    header: 'Last Modified Date',
    value: ({ properties }) => formatWhen(properties.hs_lastmodifieddate),
    sort: 'desc',
    width: 10.5,
  },
  {
    id: 'hs_invoice_status',
    header: 'Status',
    value: ({ properties: { hs_invoice_status, hs_balance_due, hs_due_date }, refunded, part_paid, is_undecided }) => (
      <InvoiceStatus
        status={hs_invoice_status}
        balance={hs_balance_due}
        due={hs_due_date}
        refunded={refunded}
        partPaid={part_paid}
        isUndecided={is_undecided}
      />
    ),
    sort: 'asc',
    width: 7.5,
    place: 'state',
    label: '',
  },
  {
    id: 'actions',
    header: 'Actions',
    value: ({ id, properties }) => (
      <AppLink href={`/invoice/${encodeURIComponent(id)}`} className="row-link">
        Preview<span className="sr-only"> invoice {properties.hs_number || id}</span>
      </AppLink>
    ),
    width: 6,
    place: 'action',
    label: '',
  },
];
