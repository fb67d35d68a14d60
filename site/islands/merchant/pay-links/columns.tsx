import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { dayNow, formatDay } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import { may } from '../parts/app-view.ts';
import { CustomerLink } from '../parts/CustomerLink.tsx';
import { type InvoiceState, InvoiceStatus, stateOf } from '../parts/InvoiceStatus.tsx';
import { customerOf, nameOf } from './open-invoices.ts';
import { RowActions } from './RowActions.tsx';
import type { RowWays } from './row-ways.ts';

const DAY_MS = 86_400_000;

const itsState = ({ status, amount_due, due_date, refunded, part_paid }: OpenInvoiceItem): InvoiceState => ({
  status,
  balance: amount_due,
  due: due_date,
  refunded,
  partPaid: part_paid,
});

const all = (ways: RowWays): Column<OpenInvoiceItem>[] => [
  {
    id: 'action',
    header: 'Action',
    head: <span className="open-tick">{ways.marks?.pickPage}</span>,
    value: (invoice) => <RowActions invoice={invoice} ways={ways} />,
    width: 14.5,
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
    width: 5.25,
    isHead: true,
    place: 'title',
    label: '',
  },
  {
    id: 'company',
    header: 'Company',
    value: ({ company }) => company.name || 'N/A',
    sort: 'asc',
    width: 5.75,
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
    width: 5.75,
    place: 'by',
    label: '',
  },
  {
    id: 'amount_due',
    header: 'Amount',
    value: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    sort: 'desc',
    width: 5.75,
    align: 'end',
    place: 'amount',
    label: '',
  },
  {
    id: 'due_date',
    header: 'Due Date',
    value: (invoice) => (
      <>
        {formatDay(invoice.due_date)}
        {invoice.due_date && stateOf(itsState(invoice)) === 'overdue' && <DaysLate due={invoice.due_date} />}
      </>
    ),
    sort: 'asc',
    width: 6.25,
    place: 'fact',
    label: 'Due',
  },
  {
    id: 'status',
    header: 'Status',
    value: (invoice) => (
      <>
        <InvoiceStatus {...itsState(invoice)} />
        {invoice.crm_status !== invoice.status && <PaidHere status={invoice.status} crmStatus={invoice.crm_status} />}
        <LastEmail of={invoice} ways={ways} isUnder />
      </>
    ),
    sort: 'asc',
    width: 6.375,
    place: 'state',
    label: '',
  },
  {
    id: 'last_email',
    header: 'Last email',
    value: (invoice) => <LastEmail of={invoice} ways={ways} />,
    width: 9.25,
    place: 'note',
  },
];

/** The columns; `ways` holds the actions on a row, which stand first and are nothing for a reader. */
export const openInvoiceColumns = (ways: RowWays) => all(ways).slice(may('collect') ? 0 : 1);

/** Its words come with the code of mailings. */
function LastEmail({ of, ways, isUnder }: { of: OpenInvoiceItem; ways: RowWays; isUnder?: true }) {
  const more = `${isUnder ? ' open-last-under' : ''}${of.next_reminder_at ? ' open-last-3' : ''}`;
  return <span className={`open-last${more}`}>{ways.marks?.lastEmail(of)}</span>;
}

function DaysLate({ due }: { due: string }) {
  // Both are midnight in UTC: whole days lie between them.
  const days = (Date.parse(dayNow()) - Date.parse(due)) / DAY_MS;
  return <span className="open-note open-late">{`${days} day${days === 1 ? '' : 's'} late`}</span>;
}

/** The CRM may not know of a payment that was taken here. */
function PaidHere({ status, crmStatus }: { status: string; crmStatus: string }) {
  return (
    <span className="open-note">
      {status === 'paid' && 'Paid here. '}HubSpot says {crmStatus || 'nothing'}
      {status === 'paid' && ': mark it paid there'}.
    </span>
  );
}
