import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { dayNow, formatDay } from '../../ui/format-moment.ts';
import { Money } from '../../ui/Money.tsx';
import { AppLink } from '../../ui/routing/router.tsx';
import type { Column } from '../../ui/table/list-view.ts';
import { may } from '../parts/app-view.ts';
import { CustomerLink } from '../parts/CustomerLink.tsx';
import { InvoiceStatus, stateOf } from '../parts/InvoiceStatus.tsx';
import { customerOf, nameOf } from './open-invoices.ts';
import { RowActions, type RowWays } from './RowActions.tsx';

const DAY_MS = 86_400_000;

const all = (ways: RowWays): Column<OpenInvoiceItem>[] => [
  {
    id: 'action',
    header: 'Action',
    value: (invoice) => <RowActions invoice={invoice} ways={ways} />,
    width: 16.5,
    place: 'action',
    label: '',
  },
  {
    id: 'invoice_number',
    header: 'Invoice ID',
    value: (invoice) => (
      <AppLink href={`/invoice/${encodeURIComponent(invoice.crm_id)}`} className="row-link">
        {nameOf(invoice)}
      </AppLink>
    ),
    sort: 'asc',
    width: 7.25,
    isHead: true,
    place: 'title',
    label: '',
  },
  {
    id: 'company',
    header: 'Company',
    value: ({ company }) => company.name || 'N/A',
    sort: 'asc',
    width: 8,
    place: 'by',
    label: '',
  },
  {
    id: 'customer',
    header: 'Customer',
    value: (invoice) => (
      <CustomerLink id={customerOf(invoice) && invoice.customer_id} name={customerOf(invoice) || 'N/A'} />
    ),
    sort: 'asc',
    width: 7.75,
    place: 'by',
    label: '',
  },
  {
    id: 'amount_due',
    header: 'Amount',
    value: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    sort: 'desc',
    width: 7,
    align: 'end',
    place: 'amount',
    label: '',
  },
  {
    id: 'due_date',
    header: 'Due Date',
    value: ({ status, amount_due, due_date, refunded, part_paid: partPaid }) => (
      <>
        {formatDay(due_date)}
        {due_date && stateOf({ status, balance: amount_due, due: due_date, refunded, partPaid }) === 'overdue' && (
          <DaysLate due={due_date} />
        )}
      </>
    ),
    sort: 'asc',
    width: 6.9,
    place: 'fact',
    label: 'Due',
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status, crm_status, amount_due, due_date, refunded, part_paid }) => (
      <>
        <InvoiceStatus status={status} balance={amount_due} due={due_date} refunded={refunded} partPaid={part_paid} />
        {crm_status !== status && <PaidHere status={status} crmStatus={crm_status} />}
      </>
    ),
    sort: 'asc',
    width: 7.25,
    place: 'state',
    label: '',
  },
];

/** The columns; `ways` holds the actions on a row, which stand first and are nothing for a reader. */
export const openInvoiceColumns = (ways: RowWays) => all(ways).slice(may('desk') ? 0 : 1);

function DaysLate({ due }: { due: string }) {
  // Both are midnight in UTC: whole days lie between them.
  const days = (Date.parse(dayNow()) - Date.parse(due)) / DAY_MS;
  return <span className="open-note open-late">{`${days} day${days === 1 ? '' : 's'} late`}</span>;
}

/** The CRM may not know of a payment that was taken here. */
function PaidHere({ status, crmStatus }: { status: string; crmStatus: string }) {
  return (
    <span className="open-note">
      {status === 'paid' && 'Paid here. '}The CRM says {crmStatus || 'nothing'}.
    </span>
  );
}
