import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { describeUnpayableCurrency } from '#shared/text/staff-words';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { formatDay, todayLocal } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import { hasRight } from '../common/app-view.ts';
import { type InvoiceState, InvoiceStatus, stateOf } from '../common/InvoiceStatus.tsx';
import { Lazy } from '../common/Lazy.tsx';
import { CustomerLink } from '../lists/CustomerLink.tsx';
import { addressBlockReason } from '../mail/address-trouble.ts';
import { MailButton } from '../mail/MailButton.tsx';
import { mailKindFor, statusBlockReason } from '../mail/pay-link-or-receipt.ts';
import { LastEmail } from './LastEmail.tsx';
import { customerOf, nameOf, type RowHandlers } from './open-invoices.ts';

/** Loaded separately, so that the rows do not wait for it. */
export const rowMenu = lazyScreen(() => import('./RowMenu.tsx').then((code) => code.RowMenu));

/** The email button that fits the invoice's status, and a menu with the other actions on its pay link. */
export function RowActions({ invoice, handlers }: { invoice: OpenInvoiceItem; handlers: RowHandlers }) {
  const { id, crm_id, status, currency, email, bad_address } = invoice;
  const kind = mailKindFor(status);
  const off = statusBlockReason(status) || addressBlockReason(email, bad_address);
  const name = nameOf(invoice);
  if (kind === 'pay-link' && currency !== ONLINE_CURRENCY)
    return <p className="mail-note">{describeUnpayableCurrency(currency)}</p>;
  return (
    <div className="open-actions">
      {kind === 'pay-link' && <span className="open-tick">{handlers.extras?.renderCheckbox(invoice)}</span>}
      <MailButton
        kind={kind}
        number={name}
        email={email}
        size="sm"
        busy={handlers.sending === crm_id}
        {...(off && { off })}
        onSend={() => handlers.mail(invoice, kind)}
      />
      {kind === 'pay-link' && id && (
        <Disclosure label={<span className="sr-only">Payment link of {name}</span>} align="end" size="sm" isMenu>
          {(close) => <Lazy screen={rowMenu} props={{ invoice, handlers, close }} />}
        </Disclosure>
      )}
    </div>
  );
}

const DAY_MS = 86_400_000;

const stateFieldsOf = ({
  status,
  amount_due,
  due_date,
  refunded,
  part_paid,
  is_undecided,
}: OpenInvoiceItem): InvoiceState => ({
  status,
  balance: amount_due,
  due: due_date,
  refunded,
  partPaid: part_paid,
  isUndecided: is_undecided,
});

const allColumns = (handlers: RowHandlers): Column<OpenInvoiceItem>[] => [
  {
    id: 'action',
    header: 'Action',
    headerPrefix: <span className="open-tick">{handlers.extras?.pickPage}</span>,
    value: (invoice) => <RowActions invoice={invoice} handlers={handlers} />,
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
    width: 10,
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
    width: 7.5,
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
        {invoice.due_date && stateOf(stateFieldsOf(invoice)) === 'overdue' && <DaysLate due={invoice.due_date} />}
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
        <InvoiceStatus {...stateFieldsOf(invoice)} />
        {invoice.crm_status !== invoice.status && (
          <CrmStatusNote status={invoice.status} crmStatus={invoice.crm_status} />
        )}
        <EmailCell invoice={invoice} handlers={handlers} isBelowStatus />
      </>
    ),
    sort: 'asc',
    width: 8.5,
    place: 'state',
    label: '',
  },
  {
    id: 'last_email',
    header: 'Last email',
    value: (invoice) => <EmailCell invoice={invoice} handlers={handlers} />,
    width: 9.25,
    place: 'note',
  },
];

/** Returns the columns of the table. The first one has the actions in `handlers`, and requires the right to collect. */
export const openInvoiceColumns = (handlers: RowHandlers) => allColumns(handlers).slice(hasRight('collect') ? 0 : 1);

/** The email history, below the status or in its own column. During a mailing, it shows the mailing's state instead. */
function EmailCell({
  invoice,
  handlers,
  isBelowStatus,
}: {
  invoice: OpenInvoiceItem;
  handlers: RowHandlers;
  isBelowStatus?: true;
}) {
  const modifiers = `${isBelowStatus ? ' open-last-under' : ''}${invoice.next_reminder_at ? ' open-last-3' : ''}`;
  return (
    <span className={`open-last${modifiers}`}>
      <LastEmail invoice={invoice} mailingState={handlers.extras?.mailingState(invoice)} />
    </span>
  );
}

function DaysLate({ due }: { due: string }) {
  // Both dates are parsed as midnight in UTC, so the difference is a whole number of days.
  const days = (Date.parse(todayLocal()) - Date.parse(due)) / DAY_MS;
  return <span className="open-note open-late">{`${formatCount(days, 'day')} late`}</span>;
}

/** Shows that the CRM has another status, for example because it lacks a payment that was taken here. */
function CrmStatusNote({ status, crmStatus }: { status: string; crmStatus: string }) {
  return (
    <span className="open-note">
      {status === 'paid' && 'Paid here. '}HubSpot says {crmStatus || 'nothing'}
      {status === 'paid' && ': mark it paid there'}.
    </span>
  );
}
