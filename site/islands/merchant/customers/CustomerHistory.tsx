import type { ReactNode } from 'react';
import type { CustomerPayment, CustomerReply } from '#shared/contracts/lists/customers';
import type { InvoiceItem } from '#shared/contracts/lists/lists';
import { customerMailWords } from '#shared/contracts/lists/mail-values';
import { parseCents } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { formatDay, formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { Row, SkeletonRow, SortHeader, SortSelect, tableRoles } from '#site/islands/ui/table/TableRow.tsx';
import { type RankedColumn, useSorted } from '#site/islands/ui/table/use-sorted.ts';
import { InvoiceStatus } from '../common/InvoiceStatus.tsx';
import { describeMail } from '../mail/mail-words.ts';
import '#site/styles/parts/table/table.css';
import '#site/styles/parts/table/table-cards.css';

/** The number of placeholder rows in each section while it loads. */
const SKELETON_ROWS = 3;

const invoiceLink = (id: string, number: string) => (
  <AppLink href={`/invoice/${encodeURIComponent(id)}`} className="row-link">
    {number || `Invoice ${id}`}
  </AppLink>
);

/** Newest invoices first. */
const DEFAULT_SORT = { id: 'created', desc: true };

const columns: RankedColumn<InvoiceItem>[] = [
  {
    id: 'number',
    header: 'Invoice Number',
    sort: 'asc',
    rank: ({ properties }) => properties.hs_number,
    value: ({ id, properties }) => invoiceLink(id, properties.hs_number),
    width: 8,
    place: 'title',
    label: '',
  },
  {
    id: 'created',
    header: 'Created Date',
    sort: 'desc',
    rank: ({ properties }) => properties.hs_createdate ?? '',
    value: ({ properties }) => formatDay(properties.hs_createdate),
    width: 7.5,
  },
  {
    id: 'billed',
    header: 'Billed',
    sort: 'desc',
    rank: ({ properties }) => parseCents(properties.hs_amount_billed) ?? 0,
    value: ({ properties }) => <Money amount={properties.hs_amount_billed} currency={properties.hs_currency} />,
    width: 7,
    align: 'end',
  },
  {
    id: 'balance',
    header: 'Balance Due',
    sort: 'desc',
    rank: ({ properties }) => parseCents(properties.hs_balance_due) ?? 0,
    value: ({ properties }) => <Money amount={properties.hs_balance_due} currency={properties.hs_currency} />,
    width: 7,
    align: 'end',
    place: 'amount',
    label: '',
  },
  {
    id: 'due',
    header: 'Due Date',
    sort: 'asc',
    rank: ({ properties }) => properties.hs_due_date ?? '',
    value: ({ properties }) => formatDay(properties.hs_due_date),
    width: 7.5,
    place: 'fact',
    label: 'due',
  },
  {
    id: 'status',
    header: 'Status',
    sort: 'asc',
    rank: ({ properties }) => properties.hs_invoice_status,
    value: ({ properties, refunded, part_paid, is_undecided }) => (
      <InvoiceStatus
        status={properties.hs_invoice_status}
        balance={properties.hs_balance_due}
        due={properties.hs_due_date}
        refunded={refunded}
        partPaid={part_paid}
        isUndecided={is_undecided}
      />
    ),
    width: 7.5,
    place: 'state',
    label: '',
  },
];

/** The customer's invoices, payments with their refunds, and emails, followed by `children`. */
export function CustomerHistory({ reply, children }: { reply: CustomerReply; children: ReactNode }) {
  const { invoices, invoice_count, payments, paid, mails } = reply;
  return (
    <div className="customer-happened">
      <Section title="Invoices" count={invoice_count > 0 ? describeCount(invoice_count, invoices.length) : ''}>
        {invoices.length === 0 ? (
          <p className="customer-none">No invoices available.</p>
        ) : (
          <Invoices items={invoices} />
        )}
      </Section>
      <Section title="Payments" count={countPayments(paid)}>
        {payments.length === 0 ? (
          <p className="customer-none">No payments yet.</p>
        ) : (
          <ul className="customer-rows">
            {payments.map((payment) => (
              <li key={`${payment.invoice_id} ${payment.id}`}>
                <time dateTime={payment.at}>{formatMoment(payment.at)}</time>
                <span>
                  {describePayment(payment)} {invoiceLink(payment.invoice_id, payment.invoice_number)}
                </span>
                <strong>
                  <PaymentAmount {...payment} />
                </strong>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Emails" count="">
        {mails.length === 0 ? (
          <p className="customer-none">No emails sent.</p>
        ) : (
          <ul className="customer-rows">
            {mails.map((mail) => (
              <li key={mail.id}>
                <time dateTime={mail.at}>{formatMoment(mail.at)}</time>
                <span>
                  {customerMailWords[mail.kind].name} for {invoiceLink(mail.invoice_id, mail.invoice_number)} to{' '}
                  {mail.to}
                </span>
                <span className="app-quiet">{describeMail(mail)}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {children}
    </div>
  );
}

export function CustomerHistorySkeleton() {
  const rows = Array.from({ length: SKELETON_ROWS }, (_, index) => index);
  const lines = (
    <ul className="customer-rows">
      {rows.map((index) => (
        <li key={index}>
          <span className="skeleton" />
          <span className="skeleton" style={{ width: '60%' }} />
          <span className="skeleton" style={{ width: '4rem' }} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="customer-happened">
      <Section title="Invoices" count="">
        <InvoiceTable sort={`-${DEFAULT_SORT.id}`}>
          {rows.map((index) => (
            <SkeletonRow key={index} columns={columns} rowIndex={index} />
          ))}
        </InvoiceTable>
      </Section>
      <Section title="Payments" count="">
        {lines}
      </Section>
      <Section title="Emails" count="">
        {lines}
      </Section>
    </div>
  );
}

function Section({ title, count, children }: { title: string; count: string; children: ReactNode }) {
  const id = `customer-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id}>
      <div className="customer-part">
        <h2 id={id}>{title}</h2>
        <p>{count}</p>
      </div>
      {children}
    </section>
  );
}

function Invoices({ items }: { items: InvoiceItem[] }) {
  const { rows, sort, onSort } = useSorted(columns, items, DEFAULT_SORT);
  return (
    <InvoiceTable sort={sort} onSort={onSort}>
      {rows.map((item) => (
        <Row key={item.id} columns={columns} item={item} />
      ))}
    </InvoiceTable>
  );
}

type TableProps = { sort: string; onSort?(sort: string): void; children: ReactNode };

function InvoiceTable({ sort, onSort = () => undefined, children }: TableProps) {
  return (
    <div className="list">
      <SortSelect columns={columns} sort={sort} onSort={onSort} />
      <div className="table">
        <table {...tableRoles.table} aria-label="Invoices">
          <colgroup>
            {columns.map(({ id, width }) => (
              <col key={id} style={{ width: `${width}rem` }} />
            ))}
          </colgroup>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              {columns.map((column) => (
                <SortHeader key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody {...tableRoles.group}>{children}</tbody>
        </table>
      </div>
    </div>
  );
}

const describeCount = (total: number, visible: number): string =>
  total > visible ? `the newest ${visible} of ${total}` : String(total);

function countPayments({ payments, given_back }: CustomerReply['paid']): string {
  if (payments === 0) return '';
  const refunds = given_back === 0 ? '' : `, and ${formatCount(given_back, 'refund')}`;
  return `${payments}${refunds}`;
}

function PaymentAmount({ kind, amount, currency }: CustomerPayment) {
  const money = <Money amount={amount} currency={currency} />;
  return kind === 'returned' ? <s>{money}</s> : money;
}

const reversalTexts = { refund: 'Refund to', void: 'Void of', return: 'Returned by' } as const;
const unpaidTexts = { submitted: 'on its way', returned: 'returned before it arrived' } as const;

function describePayment({ kind, how, where }: CustomerPayment): string {
  switch (kind) {
    case 'payment':
      return `${how}, ${where}`;
    case 'submitted':
    case 'returned':
      return `${how}, ${where}, ${unpaidTexts[kind]}`;
    default:
      return `${reversalTexts[kind]} ${how}`;
  }
}
